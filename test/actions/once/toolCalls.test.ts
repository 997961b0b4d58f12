import { asTool } from '../../../harness/n8nCore/toolCalls';
import { TYPE } from '../everyOperation/faultyService';
import { create, DOCUMENTS, DONE, DOWN, LossyService, REFUSED, SEND, TEMPLATE_SEND } from '../support/lossyService';
import { RETRY } from '../support/workbench';

const service = LossyService.ofThisFile();

const title = "={{ $fromAI('title') }}";

type Made = Array<{ id: string; title: string; status: string }>;

describe('As the tool of an agent, with Retry On Fail', () => {
	it('a call with other values is another call, and the first can be gone on with', async () => {
		const call = asTool(service.n8n, TYPE, { parameters: await service.templateSend(title), settings: RETRY });
		service.lose('POST', TEMPLATE_SEND, DONE, { body: '"A"' });
		service.lose('GET', DOCUMENTS, DOWN, { times: 15 });
		await expect(call({ title: 'A' })).rejects.toThrow('is not known');
		service.mend();
		const [made] = await service.documents();
		await expect(call({ title: 'B' })).resolves.toMatchObject([{ title: 'B' }]);
		await expect(call({ title: 'A' })).resolves.toMatchObject([{ id: made?.id, title: 'A' }]);
		await expect(service.titles()).resolves.toEqual(['A', 'B']);
	});

	it('a corrected call does not go on with the draft of the first, which a call with its values does', async () => {
		const parameters = create(title, undefined, { fileSource: 'fileIds', fileIds: await service.direct.upload() });
		const call = asTool(service.n8n, TYPE, { parameters, settings: RETRY });
		service.lose('POST', SEND, REFUSED, { times: 3 });
		await expect(call({ title: 'A' })).rejects.toThrow('sending it failed');
		const [draft] = await service.documents();
		const [corrected] = (await call({ title: 'B' })) as Made;
		expect(corrected).toMatchObject({ title: 'B', status: 'in_progress' });
		const [again] = (await call({ title: 'A' })) as Made;
		expect(again).toMatchObject({ id: draft?.id, title: 'A', status: 'in_progress' });
		await expect(service.titles()).resolves.toEqual(['A', 'B']);
	});

	it('calls of equal values that are made at once, and whose answers are lost, make a document each', async () => {
		const call = asTool(service.n8n, TYPE, { parameters: await service.templateSend(title), settings: RETRY });
		service.lose('POST', TEMPLATE_SEND, DONE, { times: 2 });
		service.lose('GET', DOCUMENTS, DOWN, { times: 3 });
		const made = (await Promise.all([call({ title: 'T' }), call({ title: 'T' }), call({ title: 'T' })])) as Made[];
		const kept = (await service.documents()).map(({ id }) => id);
		expect(kept).toHaveLength(3);
		expect(made.map(([document]) => document?.id).sort()).toEqual(kept.sort());
	});
});
