/** The types of files that upload accepts (docs/service.md section 4, Files). */
export const PDF = 'application/pdf';
export const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
export const DOC = 'application/msword';
export const PNG = 'image/png';
export const JPEG = 'image/jpeg';
