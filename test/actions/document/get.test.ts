import { bench, NDA_PEOPLE, openBench, templateIds } from '../support/operationRun';
import { byId } from '../support/workbench';

openBench();

describe('Document > Get', () => {
	it.each(['get', 'getAll'])(
		'%s says in waiting_for who was asked and has not signed',
		async (operation) => {
			const { nda } = await templateIds();
			const given = { templateId: byId(nda), ...NDA_PEOPLE };
			const [document] = await bench.prepare('template', 'send', given);
			const [ada, grace] = document?.recipients as Array<{ id: string; email: string }>;
			const waitingFor = async () => {
				const asked = operation === 'get' ? { documentId: byId(document?.id) } : { limit: 1 };
				return (await bench.prepare('document', operation, asked)).map(
					({ waiting_for }) => waiting_for,
				);
			};
			expect(await waitingFor()).toEqual([`${ada?.email}, ${grace?.email}`]);
			await bench.sandbox.control.view(String(grace?.id));
			await bench.sandbox.control.sign(String(ada?.id));
			expect(await waitingFor()).toEqual([grace?.email]);
			await bench.sandbox.control.decline(String(grace?.id));
			expect(await waitingFor()).toEqual(['']);
		},
	);
});
