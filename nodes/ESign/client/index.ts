/**
 * The only code of this package that calls the service: every call paced, repeated where that is
 * safe, and with every failure in words. It remembers nothing but the pace of a key.
 */
export { client, Client } from './client';
export { fileBuffer, multipartFile } from './files/multipartFile';
export { ENDPOINTS, type Endpoint, type ItemOf, type PagedEndpoint } from '../service/endpoints';
export { CREDENTIAL_TYPE, runOf, serviceOf, type ApiContext, type Words } from './run';
export { RecentMap } from './recent';
export type { ApiRequest } from './call/call';
export { outcomeOfBrokenConnection } from './call/outcome';
export { pagesOf } from './call/pages';
export { OneAtATime } from './pacing/pause';
export { fingerprint } from './fingerprint';
export { isObject, listed } from './errors/refusal';
export {
	asThrown,
	CANCELLED,
	isGone,
	leavesOpen,
	readCallFailure,
	SEND_UNCHANGED,
} from './errors/failure';
export { type Clock, type ClientSettings, type Timestamp } from './settings';
export type * from '../service/wire';
