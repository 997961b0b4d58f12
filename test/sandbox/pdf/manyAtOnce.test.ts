import { NIGHTLY, SEED } from '../../../harness/nightly';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { seededRandom } from '../../../harness/seededRandom';
import { ServiceClient } from '../../../harness/serviceClient';

const CLI = join(__dirname, '../../../sandbox/cli.ts');

/** Characters of all scripts, drawn by lot. */
function anyText(seed: number, length: number): string {
	const random = seededRandom(SEED + seed);
	const code = () => 0x20 + Math.floor(random() * 0xfff0);
	return Array.from({ length }, () => String.fromCodePoint(code()).replace(/\p{Surrogate}/u, 'x')).join('');
}

/** A document of 100 fields of 500 characters. Gives the id of whom it waits for. */
async function sendLarge(service: ServiceClient, number: number): Promise<string> {
	const { id, recipients } = await service.draft(`Large ${number}`, ['ann@example.com']);
	const recipientId = recipients[0]?.id ?? '';
	const place = { recipientId, pageNumber: 1, xNorm: 0.1, yNorm: 0.1, widthNorm: 0.3, heightNorm: 0.05 };
	const texts = Array.from({ length: 100 }, (_, index) => {
		return { ...place, type: 'TEXT', value: anyText(number * 100 + index, 500) };
	});
	await service.api('PUT', `/documents/${id}/fields`, { fields: [{ ...place, type: 'SIGNATURE' }, ...texts] });
	await service.api('POST', `/documents/${id}/send`);
	return recipientId;
}

/** It takes a minute of both processors. */
const nightly = NIGHTLY ? it : it.skip;

nightly(
	'large documents that are signed at once are sealed beside other calls, and do not hold up the end',
	async () => {
		const service = spawn(process.execPath, ['--import', 'tsx', CLI, '--port', '0', '--rate-limit', '0'], {
			stdio: ['ignore', 'pipe', 'inherit'],
		});
		const exited = once(service, 'exit');
		try {
			const [line] = (await once(createInterface({ input: service.stdout }), 'line')) as [string];
			const { url, keys } = JSON.parse(line) as { url: string; keys: { live: string } };
			const client = new ServiceClient(url, keys.live);
			const signers: string[] = [];
			for (let number = 0; number < 20; number++) signers.push(await sendLarge(client, number));
			const sign = (ids: string[]) => ids.map((id) => client.control.sign(id));
			const count = async (status: string) => (await client.documents()).filter((one) => one.status === status).length;

			let open = true;
			const ten = Promise.all(sign(signers.slice(0, 10))).finally(() => (open = false));
			let answered = 0;
			for (; open; answered++) await client.api('GET', '/account');
			await ten;
			expect(answered).toBeGreaterThan(10);
			expect(await count('completed')).toBe(10);

			const others = Promise.all(sign(signers.slice(10)).map((one) => one.then(() => 'signed', String)));
			// Each has been opened by its signer before any is sealed.
			while ((await client.documents()).some(({ recipients }) => recipients[0]?.status === 'sent'));
			service.kill('SIGTERM');
			expect(await exited).toEqual([0, null]);
			expect(await others).toContainEqual(expect.stringMatching(/socket hang up|ECONNRESET/));
		} finally {
			service.kill('SIGTERM');
			await exited;
		}
	},
);
