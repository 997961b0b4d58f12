import { createHmac, randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { verifySignature as VerifySignature } from '../nodes/ESign/trigger/delivery/signature';
import { median } from '../test/support/statistics';
import { OURS, type Bench, type Figure } from './report/figure';

const BARE = 'Bare HMAC';

const SIZES = { '1 KB': 1024, '64 KB': 64 * 1024 };

const BUILT = join(
	__dirname,
	'..',
	'dist',
	'nodes',
	'ESign',
	'trigger',
	'delivery',
	'signature.js',
);

/** Signature verifications per second beside the HMAC that no verification can do without. */
export const run: Bench = async ({ quick }) => {
	const { verifySignature } = createRequire(__filename)(BUILT) as {
		verifySignature: typeof VerifySignature;
	};
	const figures: Figure[] = [];
	for (const [label, size] of Object.entries(SIZES)) {
		const { ours, bare } = measure(verifySignature, size, quick ? 3 : 15, quick ? 50 : 300);
		figures.push(
			{
				name: `Verifications, ${label}`,
				unit: 'per s',
				values: { [OURS]: median(ours), [BARE]: median(bare) },
				meaning: `deliveries of ${label} that one core can check in a second; the service sends a handful.`,
			},
			{
				name: `Speed over the bare HMAC, ${label}`,
				unit: 'x',
				values: {
					[OURS]: median(ours.map((rate, index) => rate / (bare[index] ?? rate))),
					[BARE]: 1,
				},
				meaning:
					'1 would be a verification that costs nothing but its HMAC; the rest is reading the header, the time window and the ' +
					'comparison in constant time, and weighs less the longer the body.',
			},
		);
	}
	return { title: 'Signature verification', sides: [OURS, BARE], figures };
};

function measure(verify: typeof VerifySignature, size: number, repeats: number, sliceMs: number) {
	const secret = `whsec_${randomBytes(24).toString('hex')}`;
	const body = randomBytes(size);
	const now = Date.now();
	const timestamp = `${Math.floor(now / 1000)}`;
	const digest = () =>
		createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');
	const header = `t=${timestamp},v1=${digest()}`;
	const checked = () => {
		if (!verify(body, header, [secret], now).genuine)
			throw new Error('A genuine signature was refused');
	};
	const ours: number[] = [];
	const bare: number[] = [];
	// The first repeat warms both sides up and is thrown away.
	for (let repeat = 0; repeat <= repeats; repeat++) {
		ours[repeat] = perSecond(checked, sliceMs);
		bare[repeat] = perSecond(digest, sliceMs);
	}
	return { ours: ours.slice(1), bare: bare.slice(1) };
}

/** How often `work` can be done in a second, tried for `sliceMs`. */
function perSecond(work: () => unknown, sliceMs: number): number {
	let count = 0;
	const started = performance.now();
	let ms = 0;
	while (ms < sliceMs) {
		for (let index = 0; index < 50; index++) work();
		count += 50;
		ms = performance.now() - started;
	}
	return (count / ms) * 1000;
}
