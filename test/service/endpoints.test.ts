import { ENDPOINTS } from '../../nodes/ESign/client';

/** The tables of docs/service.md section 4, endpoint by endpoint. */
const API = `
GET /account
GET /templates
GET /templates/{id}
POST /templates/{id}/send
POST /files
GET /documents
POST /documents
GET /documents/{id}
POST /documents/{id}/send
POST /documents/{id}/cancel
POST /documents/{id}/remind
PUT /documents/{id}/recipients
PUT /documents/{id}/fields
GET /documents/{id}/files/{variant}
POST /documents/{id}/recipients/{recipientId}/embed-link
POST /templates/{id}/links
GET /templates/{id}/links
GET /template-links/{linkId}
POST /template-links/{linkId}/rotate
DELETE /template-links/{linkId}
POST /webhooks
GET /webhooks
DELETE /webhooks/{id}
GET /webhooks/{id}/deliveries
POST /webhooks/{id}/deliveries/{deliveryId}/replay
`
	.trim()
	.split('\n');

/** docs/architecture.md section 4, the table of what may follow an unknown outcome. */
const NOT_SIMPLY_AGAIN: Record<string, string> = {
	'POST /templates/{id}/send': 'lookFirst',
	'POST /documents/{id}/send': 'againThenRead',
	'POST /documents/{id}/cancel': 'againThenRead',
	'POST /documents/{id}/remind': 'never',
	'PUT /documents/{id}/recipients': 'againWhenCertain',
	'PUT /documents/{id}/fields': 'againWhenCertain',
	'POST /templates/{id}/links': 'lookFirst',
	'POST /template-links/{linkId}/rotate': 'againWhenCertain',
	'DELETE /template-links/{linkId}': 'againUntilGone',
	'POST /webhooks': 'lookFirst',
	'DELETE /webhooks/{id}': 'againUntilGone',
};

describe('The table of endpoints', () => {
	it('holds all of docs/service.md section 4 and nothing else', () => {
		expect(Object.keys(ENDPOINTS).sort()).toEqual([...API].sort());
	});

	it.each(Object.entries(ENDPOINTS))('decides about a repetition of %s as the design does', (endpoint, { retry }) => {
		expect(retry).toBe(NOT_SIMPLY_AGAIN[endpoint] ?? 'again');
	});

	it('pages with a cursor only where docs/service.md says so', () => {
		const paged = Object.entries(ENDPOINTS).filter(([, rule]) => 'paging' in rule);
		expect(paged.map(([endpoint]) => endpoint)).toEqual(['GET /templates', 'GET /documents']);
	});
});
