import type { ApiRequest } from '../../http/address';
import { ruleOf, type Endpoint, type LookFirstEndpoint } from '../../../service/endpoints';
import { documentReconciler } from './document';
import type { Reconciler } from './effect';
import { templateLinkReconciler } from './templateLink';
import { templateSendReconciler } from './templateSend';
import { webhookEndpointReconciler } from './webhookEndpoint';

export type { Ask, Reconciler } from './effect';

/** The endpoints that create something, and how to find what a lost answer of theirs has left. */
const RECONCILERS: Record<LookFirstEndpoint, (request: ApiRequest) => Reconciler> = {
	'POST /documents': documentReconciler,
	'POST /templates/{id}/send': templateSendReconciler,
	'POST /templates/{id}/links': templateLinkReconciler,
	'POST /webhooks': webhookEndpointReconciler,
};

export function reconcilerOf(endpoint: Endpoint, request: ApiRequest): Reconciler | undefined {
	return isLookFirst(endpoint) ? RECONCILERS[endpoint](request) : undefined;
}

function isLookFirst(endpoint: Endpoint): endpoint is LookFirstEndpoint {
	return ruleOf(endpoint).retry === 'lookFirst';
}
