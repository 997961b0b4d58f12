import { buildCertificate, type CertificateInput } from '../../../sandbox/pdf';
import { readPdf, textOf } from './readPdf';

const AT = new Date('2026-11-21T05:40:12.345Z');

function certificate(changes: Partial<CertificateInput> = {}): CertificateInput {
	return {
		title: 'Supply of pumps',
		documentId: 'doc_7',
		mode: 'LIVE',
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
		sealedSha256: '0f'.repeat(32),
		shortfalls: [],
		watermark: false,
		...changes,
	};
}

async function read(changes: Partial<CertificateInput> = {}) {
	const seen = readPdf(await buildCertificate(certificate(changes)));
	return { ...seen, text: seen.pages.map(textOf).join(' ') };
}

describe('the audit certificate', () => {
	it('names the document, its fingerprint and every recipient, and lists the trail with who and from where', async () => {
		const { text, info } = await read();
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
		expect(text).not.toContain('Not shown in full');
		expect(info).toMatchObject({
			Title: 'Certificate: Supply of pumps',
			Producer: 'eSign sandbox',
		});
	});

	it('runs over as many pages as the trail needs, losing no entry, with titles, numbers and the mark on each', async () => {
		const trail = Array.from({ length: 120 }, (_, index) => ({
			at: AT,
			what: `Reminder ${index + 1}`,
			who: 'Bo Chen',
		}));
		const { text, pages } = await read({ trail, mode: 'TEST', watermark: true });
		for (let index = 1; index <= 120; index++) expect(text).toContain(`Reminder ${index} `);
		expect(pages.length).toBeGreaterThan(3);
		pages.forEach((page, index) => {
			expect(textOf(page)).toContain(`Page ${index + 1} of ${pages.length}`);
			expect(textOf(page)).toContain('TEST DOCUMENT');
			if (index > 0) expect(textOf(page)).toContain('IP address');
		});
	});

	it('says which characters could not be drawn, and which text had no room', async () => {
		const missing = ['\u1000', '\ud800', ...'\u1020'.repeat(21)];
		const shortfalls = [
			{ page: 2, type: 'TEXT' as const, recipientName: 'Bo Chen', missing, cut: true },
		];
		const { text } = await read({ title: 'Burma \u1001', shortfalls });
		const named = `U+1000, U+D800, ${Array.from({ length: 18 }, () => 'U+1020').join(', ')}`;
		expect(text).toContain('Not shown in full');
		expect(text).toContain(
			`TEXT field of Bo Chen on page 2 has characters that could not be drawn: ${named} and 3 more.`,
		);
		expect(text).toContain('is too small for its text');
		expect(text).toContain('in names or in the title: U+1001.');
	});
});
