/**
 * The code of most weight, each file with the tests that are to tell a mutant from it. They decide within milliseconds, without
 * a server, so that a file takes about a minute.
 *
 * @type {Record<string, string[]>}
 */
export const FILES = {
	'nodes/ESign/actions/document/filters.ts': ['test/actions/document/filters.test.ts'],
	'nodes/ESign/service/deliveryLog.ts': ['test/service/deliveryLog.test.ts'],
	'nodes/ESign/transport/errors/redaction.ts': ['test/transport/errors/redaction.test.ts'],
	'nodes/ESign/transport/http/outcome.ts': [
		'test/transport/http/brokenConnection.test.ts',
		'test/transport/http/outcome.test.ts',
	],
	'nodes/ESign/transport/pacing/pacer.ts': ['test/transport/pacing/pacer.test.ts'],
	'nodes/ESign/transport/pacing/rateWindow.ts': ['test/transport/pacing/rateWindow.test.ts'],
	'nodes/ESign/trigger/delivery/signature.ts': ['test/trigger/delivery/signature.test.ts'],
};
