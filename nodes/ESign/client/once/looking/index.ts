import type { ApiRequest } from '../../call/address';
import type { LookFirstEndpoint } from '../../../service/endpoints';
import type { Reconciler } from './search';
import { templateLinkReconciler } from './templateLink';
import { templateSendReconciler } from './templateSend';
import { webhookEndpointReconciler } from './webhookEndpoint';

export { failWith, type CreatedObject, type Reconciler, type Search } from './search';

/** The endpoints that create what is not harmless, and how to find what a lost answer of theirs has left. */
export const RECONCILERS: Record<LookFirstEndpoint, (request: ApiRequest) => Reconciler> = {
	'POST /templates/{id}/send': templateSendReconciler,
	'POST /templates/{id}/links': templateLinkReconciler,
	'POST /webhooks': webhookEndpointReconciler,
};
