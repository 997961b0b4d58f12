import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const PROJECT = resolve(__dirname, '..');

export interface Tarball {
	path: string;
	/** Bytes, packed and unpacked. */
	size: number;
	unpackedSize: number;
}

/** Packs the build as it is into the folder, exactly as publishing would. */
export async function packInto(folder: string): Promise<Tarball> {
	const args = ['pack', '--json', '--pack-destination', folder];
	const { stdout } = await promisify(execFile)('npm', args, { cwd: PROJECT, maxBuffer: 1e7 });
	const [packed] = JSON.parse(stdout) as Array<{ filename: string; size: number; unpackedSize: number }>;
	if (!packed) throw new Error(`npm pack named no tarball: ${stdout}`);
	return { path: join(folder, packed.filename), size: packed.size, unpackedSize: packed.unpackedSize };
}
