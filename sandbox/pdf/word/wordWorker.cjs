/** The thread of convertWord.ts. It is plain JavaScript because a thread inherits no compiler from whoever started it. */
const { parentPort, workerData } = require('node:worker_threads');
require('tsx/cjs');
const { wordPages } = require('./wordPages.ts');

wordPages(Buffer.from(workerData)).then((pdf) => parentPort.postMessage(pdf, [pdf.buffer]));
