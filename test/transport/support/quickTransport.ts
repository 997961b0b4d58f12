import { createTransport, type Transport, type TransportSettings } from '../../../nodes/ESign/transport';

/** The transport as the nodes have it, but with pauses too short to notice. */
export function quickTransport(changed: Partial<TransportSettings> = {}): Transport {
	const looks = { looksMs: [1, 3, 5], lateEffectMs: 5 };
	return createTransport({ backoffMs: 1, longestBackoffMs: 4, ...looks, requestTimeoutMs: 2_000, ...changed });
}
