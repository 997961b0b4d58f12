import type { Document } from '../../../harness/serviceClient';
import { storedWaits, WaitStage } from '../../actions/support/waitStage';

const stage = new WaitStage();

const MANY = 10;

it.each<[string, (nth: number) => number]>([
	['in their order', (nth) => nth],
	['in the reverse order', (nth) => MANY - nth],
	['in no order', (nth) => (nth * 7) % MANY],
])('whoever falls asleep while n8n saves late, %s, goes on after n8n was killed', async (_order, turnOf) => {
	const workflow = await stage.n8n.publish();
	const documents: Document[] = [];
	for (let index = 0; index < MANY; index++) documents.push(await stage.send(`Contract ${index}`));
	let saves = 0;
	stage.n8n.trigger.beforeSave = async () => {
		await new Promise((resolve) => setTimeout(resolve, (1 + turnOf(saves++)) * 40));
	};
	const ids = await Promise.all(documents.map(async (document) => await stage.asleepFor(document)));
	stage.n8n.trigger.beforeSave = async () => undefined;
	await stage.eventually('everything to be saved', () =>
		ids.every((id) => storedWaits(workflow)[id]) ? true : undefined,
	);

	await stage.n8n.trigger.kill();
	await stage.n8n.trigger.start();
	for (const document of documents) await stage.sign(document);
	for (const id of ids) await stage.goneOn(id);
	expect(ids.map((id) => stage.n8n.timesGoneOn(id))).toEqual(ids.map(() => 1));
});
