import { createRunExecutionData } from 'n8n-workflow';
import { N8n } from '../../support/n8nCore/n8n';
import { ESign } from '../../../nodes/ESign/ESign.node';
import { expressionFor } from '../../../nodes/ESign/waiting/savedWait';

const TYPE = 'n8n-nodes-esign.eSign';
const n8n = new N8n(
	{ [TYPE]: new ESign() },
	{ baseUrl: 'http://127.0.0.1:1/v1', apiKey: 'sk_test_unused' },
);

/** What an expression reads of a node with this name, as the waiting webhook does. */
function read(name: string): unknown {
	const workflow = n8n.workflow([{ name, type: TYPE }]);
	const contextData = { [`node:${name}`]: { waiting: 'saved' } };
	const runData = createRunExecutionData({ executionData: { contextData } });
	return workflow.expression.getParameterValue(
		`=${expressionFor({ name })}`,
		runData,
		0,
		0,
		name,
		[],
		'manual',
		{},
	);
}

it.each([
	'eSign',
	'a/b %20 ü #?',
	`"it's" \\ \n`,
	'{{ $json.x }} }}',
	'${x} `y`',
	'\u2028',
	'鍵 🔑',
	'__proto__ 1',
])('what a node named %j has saved is read again', (name) => expect(read(name)).toBe('saved'));

it('no expression of n8n reads a node named constructor: Wait for Completion says so before it sleeps', () => {
	expect(() => read('constructor')).toThrow();
});
