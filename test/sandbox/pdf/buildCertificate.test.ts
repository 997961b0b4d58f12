import { buildCertificate } from '../../../sandbox/pdf/buildCertificate';
import type { SignedDocument } from '../../../sandbox/pdf/signedDocument';
import { readPdf, textOf } from './readPdf';

const AT = new Date('2026-11-21T05:40:12.345Z');

function certificate(changes: Partial<SignedDocument> = {}): SignedDocument {
	return {
		title: 'Supply of pumps',
		id: 'doc_7',
		mode: 'LIVE',
		source: Buffer.alloc(0),
		fields: [],
		sender: { id: 'org_1', name: 'Pumps & Sons' },
		createdAt: new Date('2026-11-20T08:00:00.000Z'),
		completedAt: AT,
		recipients: [
			{
				name: 'Łukasz Żółć',
				email: 'lukasz@voss.example',
				type: 'signer',
				status: 'signed',
				signedAt: AT,
			},
			{ name: 'Bo Chen', email: 'bo@pumps.example', type: 'cc', status: 'sent', signedAt: null },
		],
		trail: [
			{ at: new Date('2026-11-20T08:00:00.000Z'), what: 'Document created', who: null },
			{ at: AT, what: 'Signed', who: 'Łukasz Żółć', ip: '192.0.2.17' },
		],
		...changes,
	};
}

function read(changes: Partial<SignedDocument> = {}) {
	const seen = readPdf(Buffer.from(buildCertificate(certificate(changes), '0f'.repeat(32))));
	return { ...seen, text: seen.pages.map(textOf).join(' ') };
}

describe('the audit certificate', () => {
	it('names the document, its fingerprint and every recipient, and lists the trail with who and from where', () => {
		const { text, info } = read();
		for (const part of [
			...[
				'Supply of pumps',
				'doc_7',
				'Pumps & Sons',
				'org_1',
				'LIVE',
				'0f'.repeat(32),
				'2026-11-20 08:00:00 UTC',
			],
			...['Łukasz Żółć', 'lukasz@voss.example', 'Bo Chen', 'bo@pumps.example', 'cc', 'signer'],
		]) {
			expect(text).toContain(part);
		}
		expect(text).toMatch(
			/Audit trail.*08:00:00 UTC Document created - - .*05:40:12 UTC Signed Łukasz Żółć 192\.0\.2\.17/,
		);
		expect(info).toMatchObject({
			Title: 'Certificate: Supply of pumps',
			Producer: 'eSign sandbox',
		});
	});

	it('runs over as many pages as the trail needs, losing no entry, with titles, numbers and the mark on each', () => {
		const trail = Array.from({ length: 120 }, (_, index) => ({
			at: AT,
			what: `Reminder ${index + 1}`,
			who: 'Bo Chen',
		}));
		const { text, pages } = read({ trail, mode: 'TEST' });
		for (let index = 1; index <= 120; index++) expect(text).toContain(`Reminder ${index} `);
		expect(pages.length).toBeGreaterThan(3);
		pages.forEach((page, index) => {
			expect(textOf(page)).toContain(`Page ${index + 1} of ${pages.length}`);
			expect(textOf(page)).toContain('TEST DOCUMENT');
			if (index > 0) expect(textOf(page)).toContain('IP address');
		});
	});
});
