import type { Loss } from '../../support/lateProxy';

/** Paths of requests, without the version. */
export const TEMPLATE_SEND = /^\/templates\/[^/]+\/send$/;
export const DOCUMENTS = /^\/documents$/;
export const DOCUMENT = /^\/documents\/[^/]+$/;
export const SEND = /^\/documents\/[^/]+\/send$/;

/** How a request ends. */
export const REFUSED: Loss = { how: 402, afterMs: 1 };
export const NOT_DONE: Loss = { how: 'reset', afterMs: 1 };
export const DONE: Loss = { how: 'reset', afterMs: 1, effectMs: 0 };
/** Carried out when the try that has sent it is long dead. */
export const LATE: Loss = { how: 'reset', afterMs: 1, effectMs: 50_000 };
export const DOWN: Loss = { how: 503, afterMs: 1 };

/** A request that waits for the rate limit. */
export const LIMITED: Loss = { how: 429, afterMs: 30_000 };
