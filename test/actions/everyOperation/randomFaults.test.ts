import type { IDataObject } from 'n8n-workflow';
import { NIGHTLY, SEED, sized } from '../../../harness/nightly';
import { seededRandom } from '../../../harness/seededRandom';
import { FaultyService } from './faultyService';
import { CHANGING, type ChangingOperation, type Effect } from './changingOperations';
import { disturbAtRandom, pick } from './randomFaults';

const SCHEDULES = sized(25, 500);

let service: FaultyService;

beforeAll(async () => {
	service = await FaultyService.open({ attempts: 4 });
});
afterAll(async () => await service.close());

/** What an error of an item says of the effect, by its words. */
type Known = 'nothing' | 'a draft' | 'in doubt';

function knownFrom({ error, description, code }: IDataObject): Known {
	const words = `${String(error)} ${String(description)}`;
	if (/^The draft doc_\w+ was created, but /.test(String(error)) || /still a draft/.test(words)) return 'a draft';
	if (/may or may not have been carried out|could do it twice|is not known/.test(words)) return 'in doubt';
	// A spare draft harms nobody.
	if (/Nothing has been carried out|nothing has been created|may have been made\. It is never sent/.test(words))
		return 'nothing';
	if (code === 'webhook_endpoint_limit_reached') return 'nothing';
	throw new Error(`The error does not say what is known of the effect: ${words}`);
}

/** Everything wrong with what a batch has left at the service, compared with what its items report. */
function wrongs(
	{ done, existing }: ChangingOperation,
	names: readonly string[],
	output: IDataObject[],
	effects: Effect[],
): string[] {
	const found: string[] = [];
	const reported = output.filter(({ error }) => error === undefined).map(({ id }) => String(id));
	if (output.length !== names.length) found.push(`${output.length} outputs for ${names.length} items`);
	if (new Set(reported).size !== reported.length) found.push('two items report the same object');
	for (const id of reported) {
		const state = effects.find((effect) => effect.id === id)?.state;
		if (state !== done) found.push(`${id} is reported as done, and is ${state ?? 'not there'}`);
	}

	for (const name of new Set(names)) {
		const ofName = output.filter((_, index) => names[index] === name);
		const successes = ofName.filter(({ error }) => error === undefined).length;
		const failures = ofName.filter(({ error }) => error !== undefined).map(knownFrom);
		const there = effects.filter((effect) => effect.name === name && (!existing || effect.state === done));
		const left = there.length;
		// A spare draft harms nobody: there may be more of them than were asked for.
		const out = existing ? left : there.filter(({ state }) => state !== 'draft').length;
		const certain = successes + (existing ? 0 : failures.filter((known) => known === 'a draft').length);
		const possible = certain + failures.filter((known) => known === 'in doubt').length;
		if (left < certain || out > possible) found.push(`${name}: ${left} effects, ${certain} to ${possible} reported`);
	}
	for (const { error } of output) {
		const draft = /^The draft (doc_\w+) was created/.exec(String(error))?.[1];
		if (draft && !effects.some(({ id }) => id === draft)) found.push(`the draft ${draft} is named, and is not there`);
	}
	if (effects.some(({ name }) => !names.includes(name))) found.push('something is there that no item asked for');
	return found;
}

describe(`${SCHEDULES} random schedules of faults over batches of ten items`, () => {
	// A reminder is never sent again, and a draft is a step of the document that goes out: the others meet every kind of fault.
	const operations = Object.keys(CHANGING).filter((name) => !['document: remind', 'document: create'].includes(name));
	// Some items ask for the very same as others: nothing but the order tells them apart.
	const asked = Array.from({ length: 10 }, (_, index) => (index % 3 === 0 ? 'The same' : `Number ${index}`));
	const counts = { success: 0, nothing: 0, 'a draft': 0, 'in doubt': 0 };

	it('lose nothing and do nothing twice, and every error says what is known', async () => {
		const random = seededRandom(SEED);
		for (let number = 0; number < SCHEDULES; number++) {
			await service.sandbox.control.reset();
			// What the schedule before has left unfinished is nobody's any more.
			await service.clock.sleep(1_000_000);
			const operation = operations[number % operations.length] as string;
			const changing = CHANGING[operation] as ChangingOperation;
			const { parameters, items: batch, effects } = await changing.prepare(service, asked);
			const targets = [changing.request, changing.request, ...changing.others];
			const schedule = await disturbAtRandom(service, random, targets);
			const retryOnFail = pick(random, true, false, false);
			const { items, error } = await service.run({
				parameters,
				items: batch,
				settings: {
					onError: 'continueRegularOutput',
					...(retryOnFail && { retryOnFail, maxTries: 2, waitBetweenTries: 1 }),
				},
			});
			await service.sandbox.control.clearFaults();
			expect(error).toBeUndefined();
			const output = items.map(({ json }) => json);
			const names = batch.map(({ json }) => String(json.name));
			const wrong = wrongs(changing, names, output, await effects());
			expect({ number, operation, retryOnFail, schedule, wrong }).toMatchObject({ wrong: [] });
			for (const json of output) counts[json.error === undefined ? 'success' : knownFrom(json)] += 1;
		}
	});

	it('have been hard enough for failures to occur, and at night for every kind of ending', () => {
		expect(counts.success).toBeGreaterThan(SCHEDULES * 5);
		const endings = [counts.nothing, counts['a draft'], counts['in doubt']];
		expect(Math.max(...endings)).toBeGreaterThan(0);
		if (NIGHTLY) expect(Math.min(...endings)).toBeGreaterThan(0);
	});
});
