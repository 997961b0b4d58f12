import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Jest's global set-up: n8n-core reads its folder when it is loaded, and a test never touches the
 * user's own. Its log is silent: a node that fails, as so many do in the tests, would be reported
 * there in full.
 */
export default async function makeN8nFolder(): Promise<void> {
	process.env.N8N_LOG_LEVEL ??= 'silent';
	const folder = await mkdtemp(join(tmpdir(), 'n8n-core-'));
	await mkdir(join(folder, '.n8n'));
	// n8n-core would write it when it is loaded, and Jest loads it in several processes at once: one
	// could read half of it.
	const settings = JSON.stringify({ encryptionKey: randomBytes(24).toString('base64') });
	await writeFile(join(folder, '.n8n', 'config'), settings, { mode: 0o600 });
	process.env.N8N_USER_FOLDER = folder;
}

export async function removeN8nFolder(): Promise<void> {
	if (process.env.N8N_USER_FOLDER)
		await rm(process.env.N8N_USER_FOLDER, { recursive: true, force: true });
}
