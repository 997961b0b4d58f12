import { eSign } from '../setting/eSign';
import { httpRequest } from '../setting/httpRequest';
import { pdfOfSize } from '../setting/pdf';
import { forEachOf } from '../../test/support/serviceClient';
import { jsonItems } from '../setting/workbench';
import type { Job } from './job';

const COUNT = 1000;
const LARGEST_PAGE = 100;

/** The Pagination option as n8n's documentation has it for a cursor in the response. */
const CURSOR_PAGINATION = {
	pagination: {
		pagination: {
			paginationMode: 'updateAParameterInEachRequest',
			parameters: {
				parameters: [{ type: 'qs', name: 'cursor', value: '={{ $response.body.next_cursor }}' }],
			},
			paginationCompleteWhen: 'other',
			completeExpression: '={{ !$response.body.has_more }}',
		},
	},
};

export const listing: Job = {
	name: `Listing ${COUNT.toLocaleString('en')} documents`,
	minimum: COUNT / LARGEST_PAGE,
	because: `a page holds at most ${LARGEST_PAGE}, and the last one says that it is the last`,
	prepare: async (service) => {
		const { id } = await service.upload(await pdfOfSize(2_000, 'Note'), 'note.pdf');
		const recipients = [{ name: 'Ada Lovelace', email: 'ada@example.com' }];
		await forEachOf(COUNT, 4, async (index) => {
			await service.api('POST', '/documents', {
				files: [id],
				recipients,
				title: `Document ${index}`,
			});
		});
		return {
			items: jsonItems(1, () => ({})),
			ours: [eSign('document', 'getAll', { returnAll: true })],
			theirs: [
				httpRequest('Get documents', {
					method: 'GET',
					url: `${service.url}/documents`,
					query: { limit: `${LARGEST_PAGE}` },
					options: CURSOR_PAGINATION,
				}),
				{
					name: 'Split Out',
					type: 'n8n-nodes-base.splitOut',
					parameters: { fieldToSplitOut: 'data' },
				},
			],
			outputs: { ours: COUNT, theirs: COUNT },
		};
	},
};
