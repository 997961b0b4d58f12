/** A reporter of Jest: says with which seed a night's random tests run, and with which those ran that have failed. */
export default class Seed {
	settings = ['SEED', 'NIGHTLY']
		.filter((name) => process.env[name])
		.map((name) => `${name}=${process.env[name]}`);

	onRunStart() {
		if (this.settings.length > 0)
			process.stderr.write(`Random tests run with ${this.settings.join(' ')}\n`);
	}

	onRunComplete(_contexts, { numFailedTests }) {
		if (numFailedTests === 0 || this.settings.length === 0) return;
		process.stderr.write(
			`\nTo run the random tests again: ${this.settings.join(' ')} npx jest FILE\n`,
		);
	}
}
