/**
 * The only code of this package that speaks HTTP: every call paced, repeated where that is safe,
 * and with every failure in words. It remembers nothing but the pace of a key.
 */
export { client, Client } from './client';
export { fileBuffer, multipartFile } from './files/multipartFile';
export { ENDPOINTS, type Endpoint, type ItemOf, type PagedEndpoint } from '../service/endpoints';
export { isObject } from './isObject';
export { runOf, serviceOf, type ApiContext, type Words } from './run';
export { RecentMap } from './recent';
export type { ApiRequest } from './call/call';
export { outcomeOfBrokenConnection } from './call/outcome';
export { pagesOf } from './call/pages';
export { OneAtATime } from './pacing/oneAtATime';
export { fingerprint } from './fingerprint';
export { CREDENTIAL_TYPE } from './credentials';
export { listed } from './errors/refusal';
export { CANCELLED, SEND_UNCHANGED } from './errors/givenUp';
export { asThrown, isGone, leavesOpen, readCallFailure } from './errors/failure';
export { type Clock, type ClientSettings, type Timestamp } from './settings';
export type * from '../service/wire';
