/** A thread of engineThread.ts. It is plain JavaScript because a thread inherits no compiler from whoever started it. */
const { parentPort } = require('node:worker_threads');
require('tsx/cjs');
const engine = require('./engine.ts');

// qpdf reports here what it finds in a file; a refused upload is no news for the log.
console.error = () => undefined;

parentPort.on('message', async ({ name, input }) => {
	try {
		parentPort.postMessage({ result: await engine[name](input) });
	} catch (error) {
		parentPort.postMessage({ error });
	}
});
