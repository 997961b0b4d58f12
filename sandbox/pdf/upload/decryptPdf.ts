import createQpdf from '@neslinesli93/qpdf-wasm';

/** What is used of qpdf; its own types leave most of this out. */
interface Qpdf {
	/** Gives the exit code. */
	callMain(options: string[]): number;
	FS: { writeFile(path: string, bytes: Uint8Array): void; readFile(path: string): Uint8Array };
}

/** Exit codes of `qpdf --requires-password`, and of every other command that did what it should. */
const NO_PASSWORD_NEEDED = 3;
const DONE = [0, 3];

const WASM = require.resolve('@neslinesli93/qpdf-wasm/dist/qpdf.wasm');

/**
 * An encrypted PDF that opens without a password, as one without encryption: an owner password only
 * asks readers not to print or change the file. Undefined for one that nobody opens without a
 * password.
 */
export async function decryptPdf(bytes: Uint8Array): Promise<Uint8Array | undefined> {
	const qpdf = await quietQpdf();
	qpdf.FS.writeFile('/in.pdf', bytes);
	if (qpdf.callMain(['--requires-password', '/in.pdf']) !== NO_PASSWORD_NEEDED) return undefined;
	const code = qpdf.callMain(['--decrypt', '--no-warn', '/in.pdf', '/out.pdf']);
	return DONE.includes(code) ? new Uint8Array(qpdf.FS.readFile('/out.pdf')) : undefined;
}

/**
 * qpdf reports what it finds to whatever `console.error` is when it starts; a refused upload is no
 * news for the log.
 */
async function quietQpdf(): Promise<Qpdf> {
	const { error } = console;
	console.error = () => undefined;
	try {
		return (await createQpdf({
			locateFile: () => WASM,
			...{ noInitialRun: true },
		})) as unknown as Qpdf;
	} finally {
		console.error = error;
	}
}
