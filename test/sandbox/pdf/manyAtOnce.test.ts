import { NIGHTLY, SEED } from '../../../harness/nightly';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { seededRandom } from '../../../harness/seededRandom';
import { ServiceClient } from '../../../harness/serviceClient';

const CLI = join(__dirname, '..', '..', '..', 'sandbox', 'cli.ts');

/** Characters of all scripts, drawn by lot. */
function anyText(seed: number, length: number): string {
	const random = seededRandom(SEED + seed);
	const code = () => 0x20 + Math.floor(random() * 0xfff0);
	return Array.from({ length }, () => String.fromCodePoint(code()).replace(/\p{Surrogate}/u, 'x')).join('');
}

/** A document of 100 fields of 500 characters, and the id of whom it waits for. */
async function sendLarge(service: ServiceClient, number: number): Promise<{ id: string; recipientId: string }> {
	const { id, recipients } = await service.draft(`Large ${number}`, ['ann@example.com']);
	const recipientId = recipients[0]?.id ?? '';
	const place = { recipientId, pageNumber: 1, xNorm: 0.1, yNorm: 0.1, widthNorm: 0.3, heightNorm: 0.05 };
	const texts = Array.from({ length: 100 }, (_, index) => ({
		...place,
		type: 'TEXT',
		value: anyText(number * 100 + index, 500),
	}));
	await service.api('PUT', `/documents/${id}/fields`, { fields: [{ ...place, type: 'SIGNATURE' }, ...texts] });
	await service.api('POST', `/documents/${id}/send`);
	return { id, recipientId };
}

/** The service in a process of its own, and ten large documents in it that wait for one signature each. */
async function serviceWithTen() {
	const service = spawn(process.execPath, ['--import', 'tsx', CLI, '--port', '0', '--rate-limit', '0'], {
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	const exited = once(service, 'exit');
	const [line] = (await once(createInterface({ input: service.stdout }), 'line')) as [string];
	const { url, keys } = JSON.parse(line) as { url: string; keys: { live: string } };
	const client = new ServiceClient(url, keys.live);
	const documents = [];
	for (let number = 0; number < 10; number++) documents.push(await sendLarge(client, number));
	return { service, exited, client, documents };
}

/** They take a minute of both processors. */
const nightly = NIGHTLY ? describe : describe.skip;

nightly('ten large documents that are signed at the same moment', () => {
	it('are all completed, and everybody else is answered meanwhile', async () => {
		const { service, exited, client, documents } = await serviceWithTen();
		try {
			let open = documents.length;
			const signing = documents.map(({ recipientId }) => client.control.sign(recipientId).finally(() => open--));
			let answered = 0;
			for (; open > 0; answered++) await client.api('GET', '/account');
			await Promise.all(signing);
			for (const { id } of documents) expect((await client.document(id)).status).toBe('completed');
			expect(answered).toBeGreaterThan(10);
		} finally {
			service.kill('SIGTERM');
			await exited;
		}
	});

	it('do not keep the service from ending when it is told to', async () => {
		const { service, exited, client, documents } = await serviceWithTen();
		const signing = documents.map(({ recipientId }) => client.control.sign(recipientId).then(() => 'signed', String));
		// Each has been opened by its signer before any is sealed.
		while ((await client.documents()).some(({ recipients }) => recipients[0]?.status === 'sent'));
		service.kill('SIGTERM');
		expect(await exited).toEqual([0, null]);
		expect(await Promise.all(signing)).toContainEqual(expect.stringMatching(/socket hang up|ECONNRESET/));
	});
});
