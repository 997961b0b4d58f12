import type { ApiRequest } from '../../http/address';
import type { LookFirstEndpoint } from '../../../service/endpoints';
import { documentReconciler } from './document';
import type { Reconciler } from './effect';
import { templateLinkReconciler } from './templateLink';
import { templateSendReconciler } from './templateSend';
import { webhookEndpointReconciler } from './webhookEndpoint';

export type { Effect, Reconciler, Search } from './effect';
export { readDocumentsWithin, isAlike, type DocumentLikeness } from './existing';
export { tellOfTwins } from './lateTwins';
export { orStop } from './orStop';

/** The endpoints that create something, and how to find what a lost answer of theirs has left. */
export const RECONCILERS: Record<LookFirstEndpoint, (request: ApiRequest) => Reconciler> = {
	'POST /documents': documentReconciler,
	'POST /templates/{id}/send': templateSendReconciler,
	'POST /templates/{id}/links': templateLinkReconciler,
	'POST /webhooks': webhookEndpointReconciler,
};
