/**
 * The code of most weight, each file with the tests that are to tell a mutant from it. They decide within milliseconds, without
 * a server, so that a file takes about a minute.
 *
 * @type {Record<string, string[]>}
 */
export const FILES = {
	'nodes/ESign/actions/document/create/createDocument.ts': [
		'test/actions/document/create/createDocument.test.ts',
	],
	'nodes/ESign/operation/parameters/binaryFile.ts': ['test/operation/binaryFile.test.ts'],
	'nodes/ESign/actions/document/getAll.operation.ts': [
		'test/actions/document/find/filters.test.ts',
	],
	'nodes/ESign/sending/known/itemId.ts': ['test/sending/itemId.test.ts'],
	'nodes/ESign/sending/known/line.ts': ['test/sending/line.test.ts'],
	'nodes/ESign/sending/known/nodeMemory.ts': ['test/sending/nodeMemory.test.ts'],
	'nodes/ESign/service/deliveryLog.ts': ['test/service/deliveryLog.test.ts'],
	'nodes/ESign/client/errors/refusal.ts': [
		'test/client/errors/redaction.test.ts',
		'test/client/errors/refusal.test.ts',
	],
	'nodes/ESign/client/files/fileHeaders.ts': ['test/client/files/fileHeaders.test.ts'],
	'nodes/ESign/client/call/outcome.ts': [
		'test/client/call/brokenConnection.test.ts',
		'test/client/call/outcome.test.ts',
	],
	'nodes/ESign/client/retry/attempts.ts': ['test/client/retry/retry.test.ts'],
	'nodes/ESign/client/retry/callWithRetry.ts': ['test/client/retry/retry.test.ts'],
	'nodes/ESign/client/pacing/pacer.ts': ['test/client/pacing/pacer.test.ts'],
	'nodes/ESign/client/pacing/rateWindow.ts': [
		'test/client/pacing/rateHeaders.test.ts',
		'test/client/pacing/rateWindow.test.ts',
	],
	'nodes/ESign/messages/entrySet.ts': ['test/trigger/decisions.test.ts'],
	'nodes/ESign/trigger/delivery/acceptance.ts': ['test/trigger/delivery/acceptance.test.ts'],
	'nodes/ESign/trigger/delivery/receive.ts': [
		'test/trigger/delivery/receive.test.ts',
		'test/trigger/delivery/messages.test.ts',
	],
	'nodes/ESign/trigger/endpoint/createEndpoint.ts': [
		'test/trigger/decisions.test.ts',
		'test/trigger/endpoint/ownEndpoints.test.ts',
	],
	'nodes/ESign/trigger/endpoint/ownEndpoints.ts': [
		'test/trigger/decisions.test.ts',
		'test/trigger/endpoint/ownEndpoints.test.ts',
	],
	'nodes/ESign/trigger/endpoint/watch.ts': ['test/trigger/endpoint/looks.test.ts'],
	'nodes/ESign/trigger/delivery/signature.ts': ['test/trigger/delivery/signature.test.ts'],
};
