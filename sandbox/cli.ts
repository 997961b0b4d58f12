import { parseArgs } from 'node:util';
import { startSandbox } from './index';

const USAGE = `Usage: npm run sandbox -- [options]
  --port PORT            port to listen on, on 127.0.0.1; 0 for any (default 0)
  --rate-limit N         requests per window and key; 0 for no limit (default 10)
  --rate-window SECONDS  length of the window (default 60)
  --empty                no seed data
  --help                 this text
`;

/** A whole number from the command line, or a message and exit status 2. */
function numberOf(name: string, text: string | undefined): number | undefined {
	if (text === undefined) return undefined;
	if (/^\d+$/.test(text)) return Number(text);
	process.stderr.write(`--${name} must be a whole number\n${USAGE}`);
	process.exit(2);
}

function readArguments() {
	try {
		return parseArgs({
			options: {
				port: { type: 'string' },
				'rate-limit': { type: 'string' },
				'rate-window': { type: 'string' },
				empty: { type: 'boolean' },
				help: { type: 'boolean' },
			},
		}).values;
	} catch (error) {
		process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
		process.exit(2);
	}
}

async function main(): Promise<void> {
	const values = readArguments();
	if (values.help) {
		process.stdout.write(USAGE);
		return;
	}
	const sandbox = await startSandbox({
		port: numberOf('port', values.port),
		rateLimit: numberOf('rate-limit', values['rate-limit']),
		rateWindow: numberOf('rate-window', values['rate-window']),
		empty: values.empty,
	});
	process.stdout.write(`${JSON.stringify({ url: sandbox.url, keys: sandbox.keys })}\n`);
	for (const signal of ['SIGINT', 'SIGTERM'] as const) {
		process.once(signal, () => void sandbox.close().then(() => process.exit(0)));
	}
}

main().catch((error: unknown) => {
	process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
	process.exit(1);
});
