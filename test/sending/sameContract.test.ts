import type { IConnections, INodeParameters, IRun } from 'n8n-workflow';
import { nodeRun } from '../support/n8nCore/n8n';
import { byId, createAndSend } from '../actions/support/workbench';
import { DOCUMENTS, DONE, DOWN, NOT_DONE, REFUSED, SEND, TEMPLATE_SEND } from './support/losses';
import { numbered } from './support/lossyService';
import { rowsAt } from './support/rowsAt';
import { sentTitles } from './support/sentTitles';
import { toAda } from './support/toAda';
import {
	CONTINUE,
	esign,
	GIVEN,
	outputsOf,
	ROUNDS,
	savedAs,
	TELL,
	Workflows,
} from './support/workflows';

/**
 * An item goes by all that it asks for, where nodes before ours have made its row anew; never by its
 * title and people alone.
 */
const workflows = new Workflows();
const { service } = workflows;

const TITLE = '={{ "T " + $json.name }}';

afterEach(() => jest.restoreAllMocks());

/** To Ada, under the name of the row: it is what the contract says, and tells whose one is. */
async function named(title?: string): Promise<INodeParameters> {
	const recipientsJson = '={{ [{ role: "Signer", name: $json.name, email: "ada@example.com" }] }}';
	return { ...(await toAda(service, title)), recipientsJson };
}

/** Whose contracts are out. */
async function namesOut(): Promise<string[]> {
	const documents = await service.documents();
	const out = documents.filter(({ status }) => ['in_progress', 'completed'].includes(status));
	return out.map(({ recipients }) => recipients[0]?.name ?? '').sort();
}

/** Whose contracts came out of the node. */
const namesOf = (run: IRun, name = 'eSign') =>
	outputsOf(run, name).map((json) => {
		const { recipients } = json as { recipients?: Array<{ name: string }> };
		return recipients?.[0]?.name ?? (json.error ? 'error' : '?');
	});

describe('A retry with Skip If Created that fails, and a retry of the first without:', () => {
	it('the rows of a loop that note the time go out once', async () => {
		workflows.items = await rowsAt('ten', 'A', 'B', 'C');
		const parameters = await toAda(service, TITLE);
		const workflow = workflows.loop(parameters);
		service.lose('POST', TEMPLATE_SEND, REFUSED);
		const first = await workflows.run(workflow);
		expect(first.data.resultData.error).toBeDefined();

		const skipping = workflows.loop({
			...parameters,
			additionalFields: { title: TITLE, skipIfCreatedWithin: 1 },
		});
		workflows.items = await rowsAt('eleven', 'A', 'B', 'C');
		service.lose('POST', TEMPLATE_SEND, REFUSED, { body: 'T C' });
		const second = await service.n8n.retry(savedAs(workflow, skipping), first);
		expect(second.data.resultData.error).toBeDefined();
		await expect(sentTitles(service)).resolves.toEqual(['T A', 'T B']);

		await service.clock.sleep(600_000);
		workflows.items = await rowsAt('twelve', 'A', 'B', 'C');
		await service.n8n.retry(workflow, first);
		await expect(sentTitles(service)).resolves.toEqual(['T A', 'T B', 'T C']);
	});

	it('so does what a second node sends, where the first document was viewed since', async () => {
		workflows.items = [{ json: { name: 'A' } }];
		const letter = await toAda(service, 'Letter');
		const flow = (two: INodeParameters) =>
			workflows.flow(
				[GIVEN, esign('One', one), esign('Two', two), TELL],
				...['Given > One', 'One > Two', 'Two > Tell'],
			);
		const one = await toAda(service, 'Contract');
		const workflow = flow(letter);
		service.lose('POST', TEMPLATE_SEND, REFUSED);
		workflows.failures = 1;
		const first = await workflows.run(workflow);
		const skipping = flow({
			...letter,
			additionalFields: { title: 'Letter', skipIfCreatedWithin: 1 },
		});
		const second = await service.n8n.retry(savedAs(workflow, skipping), first);
		expect(second.data.resultData.error).toBeDefined();
		const contract = (await service.documents()).find(({ title }) => title === 'Contract');
		await service.sandbox.control.view(contract?.recipients[0]?.id ?? '');
		await service.clock.sleep(600_000);
		await service.n8n.retry(workflow, first);
		await expect(sentTitles(service)).resolves.toEqual(['Contract', 'Letter']);
	});
});

describe('Approvals that are alike, where no answer is lost, and the first execution is retried twice:', () => {
	const approval: INodeParameters = {
		...createAndSend('Approval'),
		recipientsJson: '={{ [{ name: $json.name, email: "ada@example.com" }] }}',
	};

	it.each([
		['was refused', async () => await named(), TEMPLATE_SEND],
		['has a draft, which was refused,', async () => await Promise.resolve(approval), SEND],
	])('a row that %s does not take what a later round has sent', async (_, parametersOf, path) => {
		workflows.items = await rowsAt('ten', 'A', 'B');
		const parameters = await parametersOf();
		const workflow = workflows.loopAndTell(parameters);
		service.lose('POST', path, REFUSED);
		const first = await workflows.run(workflow);
		expect(first.data.resultData.error).toBeDefined();

		// As docs/retries.md has it: On Error is set to Continue, and the rows behind it are sent.
		const continuing = savedAs(workflow, workflows.loopAndTell(parameters, CONTINUE));
		service.lose('POST', path, REFUSED);
		const second = await workflows.notTold(
			'"B"',
			async () => await service.n8n.retry(continuing, first),
		);
		expect(second.data.resultData.error).toBeDefined();
		await expect(namesOut()).resolves.toEqual(['B']);

		// What has refused A is mended, and a robot, or a person, retries the first.
		await service.clock.sleep(600_000);
		const third = await service.n8n.retry(workflow, first);
		expect(third.data.resultData.error).toBeUndefined();
		expect([await namesOut(), namesOf(third)]).toEqual([
			['A', 'B'],
			['A', 'B'],
		]);
	});

	it('nor where Continue is set from the beginning, and another node fails twice', async () => {
		workflows.items = await rowsAt('ten', 'A', 'B', 'C');
		const workflow = workflows.loopAndTell(await named(), CONTINUE);
		workflows.failures = 1;
		const first = await workflows.run(workflow);
		expect(first.data.resultData.error).toBeDefined();
		await expect(namesOut()).resolves.toEqual(['A']);

		// B is refused for a moment; C is sent, and the node that tells people fails again.
		service.lose('POST', TEMPLATE_SEND, REFUSED, { body: '"B"' });
		const second = await workflows.notTold(
			'"C"',
			async () => await service.n8n.retry(workflow, first),
		);
		expect(second.data.resultData.error).toBeDefined();
		await expect(namesOut()).resolves.toEqual(['A', 'C']);

		await service.clock.sleep(600_000);
		const third = await service.n8n.retry(workflow, first);
		expect(third.data.resultData.error).toBeUndefined();
		expect([await namesOut(), namesOf(third)]).toEqual([
			['A', 'B', 'C'],
			['A', 'B', 'C'],
		]);
	});

	it('nor does it fail, where that was cancelled', async () => {
		workflows.items = await rowsAt('ten', 'A', 'B');
		const workflow = workflows.loopAndTell(approval);
		service.lose('POST', SEND, REFUSED);
		const first = await workflows.run(workflow);
		const continuing = savedAs(workflow, workflows.loopAndTell(approval, CONTINUE));
		service.lose('POST', SEND, REFUSED);
		workflows.items = await rowsAt('ten', 'A', 'B');
		const { lossOf } = service;
		let sends = 0;
		service.lossOf = (method, path, body) => {
			if (method === 'POST' && SEND.test(path) && ++sends === 2) workflows.failures = 1;
			return lossOf(method, path, body);
		};
		await service.n8n.retry(continuing, first);
		service.lossOf = lossOf;
		const out = (await service.documents()).filter(({ status }) => status === 'in_progress');
		expect(out).toHaveLength(1);
		await service.direct.api('POST', `/documents/${out[0]?.id}/cancel`);
		await service.clock.sleep(600_000);
		const third = await service.n8n.retry(continuing, first);
		const [a] = outputsOf(third);
		expect(a).toMatchObject({ status: 'in_progress' });
	});
});

describe('Approvals of which one is in doubt, in a second retry:', () => {
	it('the next row of a list has its own, where a person is to look at the first', async () => {
		workflows.items = await rowsAt('ten', 'A', 'B');
		const parameters = await named();
		const workflow = workflows.list(parameters);
		service.lose('POST', TEMPLATE_SEND, REFUSED, { times: 2 });
		const first = await workflows.run(workflow);
		await service.n8n.retry(workflow, first);
		await service.clock.sleep(600_000);
		// The answer for A is lost, and somebody sends her something else in that minute.
		service.lose('POST', TEMPLATE_SEND, DONE);
		const { lossOf, clock } = service;
		service.lossOf = (method, path, body) => {
			if (method === 'POST' && TEMPLATE_SEND.test(path)) {
				service.lossOf = lossOf;
				clock.at(clock.now() + 20_000, async () => {
					await service.direct.send('Something else', ['ada@example.com']);
				});
			}
			return lossOf(method, path, body);
		};
		const third = await service.n8n.retry(
			savedAs(workflow, workflows.list(parameters, CONTINUE)),
			first,
		);
		service.lossOf = lossOf;
		const [a] = outputsOf(third);
		expect(String(a?.error)).toContain('It is not clear whether one of these documents');
		expect([await namesOut(), namesOf(third)]).toEqual([
			['A', 'B', 'ada@example.com'],
			['error', 'B'],
		]);
	});

	it('the next row of a list has its own, where the service cannot be asked', async () => {
		workflows.items = await rowsAt('ten', 'A', 'B');
		const parameters = await named();
		const workflow = workflows.list(parameters);
		service.loseForGood(TEMPLATE_SEND, DONE);
		const first = await workflows.run(workflow);
		expect(nodeRun(first, 'eSign').error?.context).toMatchObject({ outcome: 'in doubt' });
		service.mend();
		// Its retry cannot look, either.
		service.lose('GET', DOCUMENTS, DOWN, { times: 2 });
		const second = await service.n8n.retry(workflow, first);
		expect(nodeRun(second, 'eSign').error?.context).toMatchObject({ outcome: 'in doubt' });

		await service.clock.sleep(600_000);
		service.lose('GET', DOCUMENTS, DOWN, { times: 2 });
		const third = await service.n8n.retry(
			savedAs(workflow, workflows.list(parameters, CONTINUE)),
			first,
		);
		// A is in doubt still; B has its own.
		expect([await namesOut(), namesOf(third)]).toEqual([
			['A', 'B'],
			['error', 'B'],
		]);
	});

	it('the next round of a loop has its own', async () => {
		workflows.items = await rowsAt('ten', 'A', 'B');
		const parameters = await named();
		const workflow = workflows.loopAndTell(parameters);
		service.lose('POST', TEMPLATE_SEND, REFUSED, { times: 2 });
		const first = await workflows.run(workflow);
		await service.n8n.retry(workflow, first);
		await expect(namesOut()).resolves.toEqual([]);

		await service.clock.sleep(600_000);
		const continuing = savedAs(workflow, workflows.loopAndTell(parameters, CONTINUE));
		service.lose('POST', TEMPLATE_SEND, DONE);
		const { lossOf } = service;
		let isLost = false;
		let refusals = 2;
		service.lossOf = (method, path, body) => {
			if (method === 'POST' && TEMPLATE_SEND.test(path)) isLost = true;
			if (isLost && method === 'GET' && DOCUMENTS.test(path) && refusals-- > 0) return DOWN;
			return lossOf(method, path, body);
		};
		const third = await service.n8n.retry(continuing, first);
		service.lossOf = lossOf;
		expect([await namesOut(), namesOf(third)]).toEqual([
			['A', 'B'],
			['error', 'B'],
		]);
	});
});

it('Executions of a workflow that begin in the same millisecond each have their own', async () => {
	const now = jest.spyOn(Date, 'now').mockReturnValue(Date.now());
	const workflow = workflows.list(await named());
	workflows.items = await rowsAt('ten', 'A');
	await workflows.run(workflow);
	const failed: IRun[] = [];
	for (const name of ['B', 'C']) {
		workflows.items = await rowsAt('ten', name);
		service.lose('POST', TEMPLATE_SEND, REFUSED);
		failed.push(await workflows.run(workflow));
	}
	now.mockRestore();
	await service.clock.sleep(600_000);
	const runs: IRun[] = [];
	for (const one of failed) runs.push(await service.n8n.retry(workflow, one));
	expect([await namesOut(), runs.flatMap((run) => namesOf(run))]).toEqual([
		['A', 'B', 'C'],
		['B', 'C'],
	]);
});

it('A draft that a newer retry has made of a changed row is continued, and sent once', async () => {
	workflows.items = await rowsAt('ten', 'A', 'B');
	const create = esign('Create', { ...createAndSend(TITLE), operation: 'create' });
	const documentId = byId('={{ $json.id }}');
	const send = esign('Send', { resource: 'document', operation: 'send', documentId });
	const workflow = workflows.flow(
		[GIVEN, ROUNDS, create, send],
		...['Given > Rounds', 'Rounds > Create', 'Create > Send', 'Send > Rounds'],
	);
	service.lose('POST', DOCUMENTS, REFUSED);
	const first = await workflows.run(workflow);
	workflows.items = await rowsAt('eleven', 'A', 'B');
	service.lose('POST', SEND, REFUSED, { skip: 1 });
	const second = await service.n8n.retry(workflow, first);
	expect(second.data.resultData.error).toBeDefined();
	await expect(sentTitles(service)).resolves.toEqual(['T A']);

	// A robot retries the first, and then the second, which nobody has retried with success.
	await service.clock.sleep(600_000);
	workflows.items = await rowsAt('twelve', 'A', 'B');
	const third = await service.n8n.retry(workflow, first);
	expect(third.data.resultData.error).toBeUndefined();
	await service.n8n.retry(workflow, second);
	await expect(sentTitles(service)).resolves.toEqual(['T A', 'T B']);
});

describe('Nobody waits, or asks for documents, where no answer was lost:', () => {
	it('in the second retry of an execution that was refused', async () => {
		workflows.items = await rowsAt('ten', 'A', 'B');
		const workflow = workflows.list(await toAda(service, TITLE));
		service.lose('POST', TEMPLATE_SEND, REFUSED, { times: 2 });
		const first = await workflows.run(workflow);
		await service.n8n.retry(workflow, first);
		await service.clock.sleep(600_000);
		service.requests.length = 0;
		const before = service.clock.now();
		const third = await service.n8n.retry(workflow, first);
		const took = service.clock.now() - before;
		expect(third.data.resultData.error).toBeUndefined();
		expect(service.requests.filter((request) => request.startsWith('GET'))).toEqual([]);
		expect(took).toBeLessThan(10_000);
	});

	it('in the retries of one that is refused each time', async () => {
		workflows.items = await rowsAt('ten', 'A', 'B');
		const workflow = workflows.list(await toAda(service, TITLE));
		service.lose('POST', TEMPLATE_SEND, REFUSED, { times: 99 });
		const first = await workflows.run(workflow);
		const took: number[] = [];
		const requests: number[] = [];
		for (let hour = 0; hour < 4; hour++) {
			await service.clock.sleep(3_600_000);
			service.requests.length = 0;
			const before = service.clock.now();
			await service.n8n.retry(workflow, first);
			took.push(service.clock.now() - before);
			requests.push(service.requests.length);
		}
		expect(Math.max(...took)).toBeLessThan(10_000);
		expect(requests).toEqual([1, 1, 1, 1]);
	});

	it('where a draft is left that was refused', async () => {
		workflows.items = await numbered(1);
		const workflow = workflows.list(createAndSend('T'));
		service.lose('POST', SEND, REFUSED, { times: 2 });
		const first = await workflows.run(workflow);
		await service.n8n.retry(workflow, first);
		await service.clock.sleep(600_000);
		service.requests.length = 0;
		const before = service.clock.now();
		const third = await service.n8n.retry(workflow, first);
		expect(third.data.resultData.error).toBeUndefined();
		expect([service.requests, service.clock.now() - before < 10_000]).toEqual([
			[expect.stringMatching(/^POST .*\/send$/)],
			true,
		]);
	});

	it('where Skip If Created was taken off', async () => {
		workflows.items = await rowsAt('ten', 'A', 'B');
		const parameters = await toAda(service, TITLE);
		const skipping = workflows.list({
			...parameters,
			additionalFields: { title: TITLE, skipIfCreatedWithin: 1 },
		});
		service.lose('POST', TEMPLATE_SEND, REFUSED, { skip: 1 });
		const first = await workflows.run(skipping);
		service.requests.length = 0;
		const before = service.clock.now();
		await service.n8n.retry(savedAs(skipping, workflows.list(parameters)), first);
		expect([service.requests.length, service.clock.now() - before < 10_000]).toEqual([1, true]);
	});

	it('in a retry, and the retries of that', async () => {
		workflows.items = await rowsAt('ten', 'A', 'B', 'C');
		const workflow = workflows.list(await toAda(service, TITLE));
		service.lose('POST', TEMPLATE_SEND, REFUSED, { times: 4 });
		let run = await workflows.run(workflow);
		for (let times = 0; times < 4; times++) {
			service.requests.length = 0;
			const before = service.clock.now();
			run = await service.n8n.retry(workflow, run);
			expect(service.clock.now() - before).toBeLessThan(10_000);
			expect(service.requests.length).toBe(times < 3 ? 1 : 3);
		}
		await expect(sentTitles(service)).resolves.toEqual(['T A', 'T B', 'T C']);
	});
});

describe('Approvals of which one was cancelled, where n8n was killed, and the rows note the time:', () => {
	it('only that one fails', async () => {
		workflows.items = await rowsAt('ten', 'A', 'B', 'C');
		const parameters = await named();
		const workflow = workflows.list(parameters);
		service.lose('POST', TEMPLATE_SEND, NOT_DONE, { skip: 1 });
		const killed = await workflows.killedAt(TEMPLATE_SEND, workflow, 1);
		const [made] = await service.documents();
		await service.direct.api('POST', `/documents/${made?.id}/cancel`);
		workflows.items = await rowsAt('eleven', 'A', 'B', 'C');
		const continuing = savedAs(workflow, workflows.list(parameters, CONTINUE));
		const retried = await workflows.retryLater(continuing, killed);
		expect([await namesOut(), namesOf(retried)]).toEqual([
			['B', 'C'],
			['error', 'B', 'C'],
		]);
	});
});

describe('n8n’s clock is five minutes ahead of the service’s, and it was killed:', () => {
	function ahead() {
		const by = 300_000;
		const offset = service.clock.now() + by - Date.now();
		const real = Date.now.bind(Date);
		jest.spyOn(Date, 'now').mockImplementation(() => real() + offset);
		Object.assign(service.clock, { wallClock: () => service.clock.now() + by });
	}
	afterEach(() => {
		delete (service.clock as { wallClock?: unknown }).wallClock;
	});

	it('a row that notes the time goes out once', async () => {
		workflows.items = await rowsAt('ten', 'A', 'B', 'C');
		const workflow = workflows.list(await toAda(service, TITLE));
		ahead();
		service.lose('POST', TEMPLATE_SEND, NOT_DONE, { skip: 2 });
		const killed = await workflows.killedAt(TEMPLATE_SEND, workflow, 2);
		workflows.items = await rowsAt('eleven', 'A', 'B', 'C');
		const retried = nodeRun(await workflows.retryLater(workflow, killed), 'eSign');
		expect(retried.error).toBeUndefined();
		await expect(sentTitles(service)).resolves.toEqual(['T A', 'T B', 'T C']);
	});

	it('a row whose request was carried out then goes out once', async () => {
		workflows.items = await rowsAt('ten', 'A', 'B', 'C');
		const workflow = workflows.list(await toAda(service, TITLE));
		ahead();
		service.lose('POST', TEMPLATE_SEND, DONE, { skip: 1 });
		const killed = await workflows.killedAt(TEMPLATE_SEND, workflow, 1);
		const retried = nodeRun(await workflows.retryLater(workflow, killed), 'eSign');
		expect(retried.error).toBeUndefined();
		await expect(sentTitles(service)).resolves.toEqual(['T A', 'T B', 'T C']);
	});
});

describe('Two nodes with the same title for the same people, in two branches, where n8n was killed:', () => {
	async function branches() {
		const [one, two] = [await named('Contract'), await named('Contract')];
		const named2 = (prefix: string, parameters: INodeParameters): INodeParameters => ({
			...parameters,
			recipientsJson: `={{ [{ role: "Signer", name: "${prefix} " + $json.name, email: "ada@example.com" }] }}`,
		});
		const nodes = [
			GIVEN,
			esign('One', named2('One', one), CONTINUE),
			esign('Two', named2('Two', two), CONTINUE),
		];
		const connections: IConnections = {
			Given: {
				main: [
					[
						{ node: 'One', type: 'main', index: 0 },
						{ node: 'Two', type: 'main', index: 0 },
					],
				],
			},
		};
		return service.n8n.workflow(nodes, { connections });
	}

	it('each sends its own, where a row of the first was refused', async () => {
		workflows.items = await rowsAt('ten', 'A', 'B');
		const workflow = await branches();
		service.lose('POST', TEMPLATE_SEND, REFUSED, { body: 'One A' });
		service.lose('POST', TEMPLATE_SEND, NOT_DONE, { body: 'Two B' });
		const killed = await workflows.killedAt(TEMPLATE_SEND, workflow, 3);
		await expect(namesOut()).resolves.toEqual(['One B', 'Two A']);
		workflows.items = await rowsAt('eleven', 'A', 'B');
		await workflows.retryLater(workflow, killed);
		const out = await namesOut();
		expect(out.map((name) => name.slice(0, 3))).toEqual(['One', 'One', 'Two', 'Two']);
	});

	it('the first does not return what the second has sent', async () => {
		workflows.items = await rowsAt('ten', 'A', 'B');
		const workflow = await branches();
		service.lose('POST', TEMPLATE_SEND, NOT_DONE, { body: 'Two B' });
		const killed = await workflows.killedAt(TEMPLATE_SEND, workflow, 3);
		await expect(namesOut()).resolves.toEqual(['One A', 'One B', 'Two A']);
		const one = (await service.documents()).find(
			({ recipients }) => recipients[0]?.name === 'One A',
		);
		await service.direct.api('POST', `/documents/${one?.id}/cancel`);
		workflows.items = await rowsAt('eleven', 'A', 'B');
		const retried = await workflows.retryLater(workflow, killed);
		expect(namesOf(retried, 'One').join()).not.toContain('Two');
		await expect(namesOut()).resolves.toEqual(['One B', 'Two A', 'Two B']);
	});
});

it('A row of a loop that was refused does not take what is the next one’s, where n8n was killed', async () => {
	workflows.items = await rowsAt('ten', 'A', 'B', 'C');
	const workflow = workflows.loop(await named(), CONTINUE);
	service.lose('POST', TEMPLATE_SEND, REFUSED);
	service.lose('POST', TEMPLATE_SEND, NOT_DONE, { skip: 1 });
	const killed = await workflows.killedAt(TEMPLATE_SEND, workflow, 2);
	await expect(namesOut()).resolves.toEqual(['B']);
	// The rows are the same: nothing was made anew.
	const retried = await workflows.retryLater(workflow, killed);
	expect([await namesOut(), namesOf(retried)]).toEqual([
		['A', 'B', 'C'],
		['A', 'B', 'C'],
	]);
});

it('Rows of a loop keep what is theirs, where n8n was killed, and a new row comes before them', async () => {
	workflows.items = await rowsAt('ten', 'A', 'B', 'C');
	const workflow = workflows.loop(await named());
	service.lose('POST', TEMPLATE_SEND, NOT_DONE, { skip: 2 });
	const killed = await workflows.killedAt(TEMPLATE_SEND, workflow, 2);
	workflows.items = await rowsAt('ten', 'New', 'A', 'B', 'C');
	const retried = await workflows.retryLater(workflow, killed);
	expect([await namesOut(), namesOf(retried)]).toEqual([
		['A', 'B', 'C', 'New'],
		['New', 'A', 'B', 'C'],
	]);
});

describe('Answers of n8n’s memory in a retry, which a retry of the first follows:', () => {
	it.each([
		['lost once, after their effect', 'list'],
		['lost once, after their effect', 'loop'],
		['away four times', 'loop'],
		['away four times', 'list'],
	])('%s: nothing of a %s goes out twice', async (how, shape) => {
		const broken: string[] = [];
		for (let at = 1; at < 30; at++) {
			await service.reset();
			workflows.items = await rowsAt('ten', 'A', 'B', 'C');
			const parameters = await toAda(service, TITLE);
			const workflow = shape === 'loop' ? workflows.loop(parameters) : workflows.list(parameters);
			service.lose('POST', TEMPLATE_SEND, REFUSED);
			const first = await workflows.run(workflow);
			const { memories } = service;
			let calls = 0;
			let failures = how === 'away four times' ? 4 : 1;
			const record = memories.checkProcessedAndRecord.bind(memories);
			const remove = memories.removeProcessed.bind(memories);
			const failing = <Asked extends unknown[], Answer>(
				call: (...asked: Asked) => Promise<Answer>,
			) => {
				return async (...asked: Asked) => {
					const fails = ++calls >= at && failures-- > 0;
					if (!fails || how !== 'away four times') await Promise.resolve();
					if (fails && how === 'away four times') throw new Error('The database is away');
					const answer = await call(...asked);
					if (fails) throw new Error('The connection broke');
					return answer;
				};
			};
			memories.checkProcessedAndRecord = failing(record);
			memories.removeProcessed = failing(remove);
			workflows.items = await rowsAt('eleven', 'A', 'B', 'C');
			service.lose('POST', TEMPLATE_SEND, REFUSED, { body: 'T C' });
			await service.n8n.retry(workflow, first);
			memories.checkProcessedAndRecord = record;
			memories.removeProcessed = remove;
			service.mend();
			await service.clock.sleep(600_000);
			workflows.items = await rowsAt('twelve', 'A', 'B', 'C');
			const last = await service.n8n.retry(workflow, first);
			const titles = await sentTitles(service);
			const { error } = last.data.resultData;
			if (error || titles.join() !== 'T A,T B,T C')
				broken.push(`call ${at}: ${error?.message} ${titles}`);
			if (calls < at) break;
		}
		expect(broken).toEqual([]);
	});
});

describe('Contracts whose PDFs are made anew, where n8n was killed,', () => {
	const made = async (time: string) =>
		(await rowsAt(time, 'A', 'B', 'C')).map((item) => {
			const { data } = item.binary ?? {};
			if (!data) throw new Error('There is no file');
			const bytes = Buffer.from(data.data, 'base64');
			const anew = Buffer.concat([bytes, Buffer.from(`\n% Made at ${time}\n`)]);
			return { ...item, binary: { data: { ...data, data: anew.toString('base64') } } };
		});

	it.each(['with data', 'without data'])(
		'and rows %s that are the same, go out once',
		async (which) => {
			const hasData = which === 'with data';
			const rows = async (time: string) => {
				const names = ['A', 'B', 'C'];
				return (await made(time)).map((item, at) => ({
					...item,
					json: hasData ? { name: names[at] } : {},
					binary: { data: { ...item.binary!.data!, fileName: `${names[at]}.pdf` } },
				}));
			};
			workflows.items = await rows('ten');
			const parameters = createAndSend('={{ $binary.data.fileName }}');
			const workflow = workflows.list(parameters);
			service.lose('POST', SEND, DONE, { skip: 1 });
			const killed = await workflows.killedAt(SEND, workflow, 1);
			workflows.items = await rows('eleven');
			const retried = await workflows.retryLater(workflow, killed);
			expect(nodeRun(retried, 'eSign').error).toBeUndefined();
			await expect(sentTitles(service)).resolves.toEqual(['A.pdf', 'B.pdf', 'C.pdf']);
		},
	);
});

it('A retry asks about the documents of each row’s own people first, where n8n was killed in a long list', async () => {
	const names = Array.from({ length: 60 }, (_, n) => `A${n}`);
	workflows.items = await rowsAt('ten', ...names);
	const email = '={{ [{ role: "Signer", name: $json.name, email: $json.name + "@example.com" }] }}';
	const workflow = workflows.list({ ...(await toAda(service, TITLE)), recipientsJson: email });
	service.lose('POST', TEMPLATE_SEND, NOT_DONE, { skip: 59 });
	const killed = await workflows.killedAt(TEMPLATE_SEND, workflow, 59);
	const { memories } = service;
	const record = memories.checkProcessedAndRecord.bind(memories);
	let asked = 0;
	memories.checkProcessedAndRecord = async (entries, ...more) => {
		asked += entries.length;
		return await record(entries, ...more);
	};
	const worker = await workflows.otherWorker(workflow);
	const retried = await worker.retry(killed, 'killed');
	memories.checkProcessedAndRecord = record;
	expect(namesOf(retried)).toEqual(names);
	// What of each row is recorded, and a question about one document: 60 would be 240 entries more.
	expect(asked / names.length).toBeLessThan(100);
});
