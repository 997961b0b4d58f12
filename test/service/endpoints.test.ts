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
	'POST /templates/{id}/send': 'never',
	'POST /documents/{id}/send': 'untilState',
	'POST /documents/{id}/cancel': 'untilState',
	'POST /documents/{id}/remind': 'never',
	'PUT /documents/{id}/recipients': 'lastCounts',
	'PUT /documents/{id}/fields': 'lastCounts',
	'POST /template-links/{linkId}/rotate': 'lastCounts',
	'DELETE /template-links/{linkId}': 'untilGone',
	'DELETE /webhooks/{id}': 'untilGone',
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

	it('leaves a spare of what a person can see and delete, or leave alone', () => {
		const spares = Object.entries(ENDPOINTS).filter(([, { spare }]) => spare !== undefined);
		expect(spares.map(([endpoint]) => endpoint)).toEqual([
			'POST /documents',
			'POST /templates/{id}/links',
			'POST /webhooks',
		]);
	});
});
