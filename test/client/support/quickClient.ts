import { Client, type ClientSettings } from '../../../nodes/ESign/client';

/**
 * The client as the nodes have it, but with pauses too short to notice. Its patience with an answer
 * is that of the nodes: the first answer of a sandbox that is just being compiled takes seconds on
 * a busy machine, and is not lost.
 */
export function quickClient(changed: Partial<ClientSettings> = {}): Client {
	return new Client({ backoffMs: 1, longestBackoffMs: 4, lateEffectMs: 5, ...changed });
}
