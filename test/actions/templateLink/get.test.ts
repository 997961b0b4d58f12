import { asSent, items, links, openBench, run, sent } from '../support/operationRun';

openBench();

describe('Template Link > Get', () => {
	it('GET /template-links/{linkId}', async () => {
		const made = await links();
		const { requests, output } = await run(
			['templateLink', 'get'],
			{ templateLinkId: '={{ $json.id }}' },
			items(...made.map((id) => ({ id }))),
		);
		expect(asSent(requests)).toEqual(made.map((id) => sent('GET', `/template-links/${id}`)));
		expect(output.map(({ id }) => id)).toEqual(made);
	});
});
