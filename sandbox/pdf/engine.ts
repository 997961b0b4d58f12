export { buildCertificate } from './buildCertificate';
export { buildSource } from './buildSource';
export { drawTemplate } from './drawTemplate';
export { inspectFile } from './inspectFile';
export { pageSizes } from './pageSizes';
export { sealDocument } from './sealDocument';
