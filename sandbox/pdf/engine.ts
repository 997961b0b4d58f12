/**
 * What the thread of engineThread.ts does. Arguments and results are copied from thread to thread,
 * so they are plain data.
 */
export { drawTemplate } from './drawTemplate';
export { finishDocument } from './finishDocument';
export { mergeSource } from './source/mergeSource';
export { inspectFile } from './upload/inspectFile';
export { pageSizes } from './upload/openPdf';
