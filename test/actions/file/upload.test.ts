import { bench, openBench } from '../support/operationRun';
import { contract, DRAFT } from '../support/workbench';

openBench();

describe('A file that no parameter names', () => {
	it.each([
		['document', 'create'],
		['file', 'upload'],
	])(
		'is taken, whatever its field is called, if it is the only one: %s > %s',
		async (resource, operation) => {
			const one = [{ json: {}, binary: { Your_contract: await contract() } }];
			const { error } = await bench.run(resource, operation, resource === 'document' ? DRAFT : {}, {
				items: one,
			});
			expect(error).toBeUndefined();
			const two = [
				{ json: {}, binary: { Your_contract: await contract(), Annex: await contract() } },
			];
			const refused = await bench.run(resource, operation, resource === 'document' ? DRAFT : {}, {
				items: two,
			});
			expect(refused.error?.message).toMatch(
				/the item has no file "data"; it has: Your_contract, Annex$/,
			);
		},
	);
});

it('A file as text is not repeated whole in the message', async () => {
	const text = JSON.stringify({ mimeType: 'application/pdf', data: 'JVBERi0x'.repeat(1000) });
	const items = [{ json: {}, binary: { contract: await contract() } }];
	const { error } = await bench.run('file', 'upload', { binaryPropertyName: text }, { items });
	expect(error?.message).toMatch(/the item has no file "\{"mimeType.{900,1000}…$/);
});
