import createQpdf from '@neslinesli93/qpdf-wasm';

/** What is used of qpdf; its own types leave most of this out. */
interface Qpdf {
	/** Gives the exit code. */
	callMain(options: string[]): number;
	FS: { writeFile(path: string, bytes: Uint8Array): void; readFile(path: string): Uint8Array };
}

/** Exit codes: it did what it should, the second time with warnings. */
const DONE = [0, 3];

const WASM = require.resolve('@neslinesli93/qpdf-wasm/dist/qpdf.wasm');

/**
 * Writes a PDF anew, with options of qpdf's command line.
 *
 * @throws when qpdf cannot read it, or not without a password
 */
export async function rewrite(bytes: Uint8Array, ...options: string[]): Promise<Uint8Array> {
	const start = { locateFile: () => WASM, noInitialRun: true };
	const qpdf = (await createQpdf(start)) as unknown as Qpdf;
	qpdf.FS.writeFile('/in.pdf', bytes);
	const code = qpdf.callMain([...options, '/in.pdf', '/out.pdf']);
	if (!DONE.includes(code)) throw new Error(`qpdf ended with ${code}`);
	return new Uint8Array(qpdf.FS.readFile('/out.pdf'));
}
