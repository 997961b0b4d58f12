export { buildCertificate } from './certificate/buildCertificate';
export { buildSource } from './source/buildSource';
export { drawTemplate } from './drawTemplate';
export { inspectFile } from './upload/inspectFile';
export { pageSizes } from './upload/pageSizes';
export { sealDocument } from './sealDocument';
