import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ENDPOINTS } from '../../nodes/ESign/client';

const DOCS = readFileSync(join(__dirname, '../../docs/service.md'), 'utf8');

/** The rows of the tables of docs/service.md section 4 that begin with an endpoint. */
const API = [...DOCS.matchAll(/^\| `((?:GET|POST|PUT|DELETE) \/\S*)` \|/gm)].map(
	([, endpoint]) => endpoint,
);

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
		expect(API.length).toBeGreaterThan(20);
	});

	it.each(Object.entries(ENDPOINTS))(
		'decides about a repetition of %s as the design does',
		(endpoint, { retry }) => {
			expect(retry).toBe(NOT_SIMPLY_AGAIN[endpoint] ?? 'again');
		},
	);

	it('pages with a cursor only where docs/service.md says so', () => {
		const paged = Object.entries(ENDPOINTS).filter(([, rule]) => 'paging' in rule);
		expect(paged.map(([endpoint]) => endpoint)).toEqual(['GET /templates', 'GET /documents']);
	});
});
