/** What a downloaded file of a document is called, unless the service names it. */
export function fileNameOf(documentId: string, variant: string): string {
	return `${documentId}-${variant}.pdf`;
}
