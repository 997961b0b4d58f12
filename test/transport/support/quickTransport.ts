import { createTransport, type Transport, type TransportSettings } from '../../../nodes/ESign/transport';

/** The transport as the nodes have it, but with pauses too short to notice. */
export function quickTransport(changed: Partial<TransportSettings> = {}): Transport {
	return createTransport({ backoffMs: 1, longestBackoffMs: 4, settleMs: 5, requestTimeoutMs: 2_000, ...changed });
}
