import type { ServiceClient } from '../../support/serviceClient';
import { calmly } from '../work/calmly';
import { BY_EVENT } from '../setting/workflows';
import type { Balance } from './balance';

interface Endpoint {
	id: string;
	url: string;
	status: string;
}

/** The service has one active endpoint per trigger, and no twin that an outage has left behind. */
export async function balanceEndpoints(service: ServiceClient): Promise<Balance> {
	const ask = async () => await service.api<{ data: Endpoint[] }>('GET', '/webhooks');
	const { data } = await calmly('the webhook endpoints', ask);
	const ours = data.filter(({ url }) => url.includes('/webhook/'));
	const isRight =
		ours.length === BY_EVENT.length && new Set(ours.map(({ url }) => url)).size === BY_EVENT.length;
	const off = ours.filter(({ status }) => status !== 'ACTIVE');
	return {
		what: 'Endpoints',
		service: `${ours.length} of this n8n`,
		n8n: `${BY_EVENT.length} triggers`,
		wrong: [
			...(isRight ? [] : ours.map(({ id, url }) => `${id} at ${url}`)),
			...off.map(({ id, status }) => `${id} is ${status}`),
		],
		explained: [],
	};
}
