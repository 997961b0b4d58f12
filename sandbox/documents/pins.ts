import { createHash, timingSafeEqual } from 'node:crypto';
import type { Recipient } from '../state/entities';

/** A pin may be as short as one digit: nobody gets to try them all. */
const MAX_WRONG_PINS = 10;

function digest(text: string): Buffer {
	return createHash('sha256').update(text).digest();
}

export function isLocked({ wrongPins }: Recipient): boolean {
	return wrongPins >= MAX_WRONG_PINS;
}

/** Whether this is the person's pin, compared in constant time; never once they are locked out. */
export function enterPin(recipient: Recipient, pin: string): boolean {
	if (recipient.pin === null) return true;
	if (isLocked(recipient)) return false;
	const isRight = timingSafeEqual(digest(recipient.pin), digest(pin));
	recipient.wrongPins = isRight ? 0 : recipient.wrongPins + 1;
	return isRight;
}
