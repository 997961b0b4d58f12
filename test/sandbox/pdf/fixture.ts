import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(__dirname, '../../fixtures');

/** A test file of test/fixtures, made by a real producer. */
export function fixture(name: string): Buffer {
	return readFileSync(join(FOLDER, name));
}
