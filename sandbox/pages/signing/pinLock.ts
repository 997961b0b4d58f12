import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * Proof that someone entered a recipient's pin, carried in the address instead of a cookie:
 * embedded pages live in frames of other sites, where browsers keep cookies back. It dies with the
 * process.
 */
export class PinLock {
	private readonly key = randomBytes(32);

	/** The proof to hand out once the pin was right. */
	proofFor(recipientId: string): string {
		return createHmac('sha256', this.key).update(recipientId).digest('base64url');
	}

	opens(recipientId: string, proof: string | undefined): boolean {
		const expected = Buffer.from(this.proofFor(recipientId));
		const given = Buffer.from(proof ?? '');
		return expected.length === given.length && timingSafeEqual(expected, given);
	}
}
