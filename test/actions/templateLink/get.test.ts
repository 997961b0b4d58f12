import type { INodeParameters } from 'n8n-workflow';
import { linksOf } from '../everyOperation/cases';
import { answerOf, bench, openBench } from '../support/operationRun';
import { byId } from '../support/workbench';

openBench();

describe('Template Link > Get', () => {
	it('gives ten flat fields, or with Simplify off the link as the API sent it', async () => {
		const [{ templateLinkId: id } = {}] = await linksOf(bench.direct);
		const get = async (simplify: unknown) =>
			(
				await bench.run('templateLink', 'get', {
					templateLinkId: byId(id),
					simplify,
				} as INodeParameters)
			).items[0]?.json;
		const whole = await get(false);
		expect(whole).toEqual(await answerOf(`/template-links/${id}`));
		const { url, label, template_id, enabled, use_count, max_uses, expires_at, created_at } =
			whole ?? {};
		const simple = {
			id,
			url,
			label,
			template_id,
			enabled,
			use_count,
			max_uses,
			expires_at,
			created_at,
		};
		await expect(get(true)).resolves.toEqual({ ...simple, open_role: 'Client' });
		await expect(get(undefined)).resolves.toEqual({ ...simple, open_role: 'Client' });
	});
});
