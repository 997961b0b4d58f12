import { asSent, fromItem, items, links, openBench, run, sent } from '../support/operationRun';

openBench();

describe('Template Link > Delete', () => {
	it('DELETE /template-links/{linkId}', async () => {
		const made = await links();
		const { requests, output } = await run(
			['templateLink', 'delete'],
			{ templateLinkId: fromItem('id') },
			items(...made.map((id) => ({ id }))),
		);
		expect(asSent(requests)).toEqual(made.map((id) => sent('DELETE', `/template-links/${id}`)));
		expect(output.map(({ id }) => id)).toEqual(made);
		expect(output.map(({ deleted }) => deleted)).toEqual([true, true]);
	});
});
