import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { packTarball, type Packed } from '../../support/packing';

const VARIABLE = 'ESIGN_E2E_TARBALL';

/**
 * Packs the package once for all files of the suite; what reaches them from the set-up is the
 * environment.
 */
export async function packForAll(): Promise<void> {
	process.env[VARIABLE] = JSON.stringify(await packTarball());
}

/** The package as this run of the suite has packed it. */
export function packed(): Packed {
	const text = process.env[VARIABLE];
	if (!text)
		throw new Error('The package is packed by the global set-up of test/e2e/jest.config.js');
	return JSON.parse(text) as Packed;
}

export async function removePacked(): Promise<void> {
	await rm(dirname(packed().path), { recursive: true, force: true });
}
