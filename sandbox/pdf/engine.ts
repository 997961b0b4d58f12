/**
 * What the threads of enginePool.ts do. Arguments and results are copied from thread to thread, so
 * they are plain data.
 */
export { buildCertificate } from './certificate/buildCertificate';
export { drawTemplate } from './drawTemplate';
export { finishDocument } from './finishDocument';
export { sealDocument } from './sealDocument';
export { mergeSource } from './source/mergeSource';
export { inspectFile } from './upload/inspectFile';
export { pageSizes } from './upload/pageSizes';
