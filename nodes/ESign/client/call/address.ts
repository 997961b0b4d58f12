import { NodeOperationError, type IDataObject, type IHttpRequestMethods } from 'n8n-workflow';
import type { ApiContext } from '../run';
import type { Endpoint } from '../../service/endpoints';

/** What one call carries besides its endpoint. `path` fills the endpoint's `{...}` by name. */
export type ApiRequest = {
	path?: Record<string, string>;
	query?: IDataObject;
	body?: IDataObject;
	/** What it asks for may be done already, or be under way. */
	mayBeDone?: boolean;
	/** The item a failure is reported for. */
	itemIndex?: number;
	/** When the call is given up at the latest, in doubt if need be, by the clock of `now()` in client/index.ts. */
	deadline?: number;
	/** Ends the call as a cancelled execution does. */
	signal?: AbortSignal;
};

/** Control characters, and halves of characters, which cannot be encoded. */
const NOT_IN_AN_ID = /[\p{Cc}\p{Cs}]/u;

export function methodOf(endpoint: Endpoint): IHttpRequestMethods {
	return endpoint.slice(0, endpoint.indexOf(' ')) as IHttpRequestMethods;
}

/**
 * The endpoint's path below the base URL, every id percent-encoded, so that an id can never address another endpoint.
 *
 * @throws NodeOperationError for an id that is missing, or that no encoding keeps in its segment (`.` and `..`)
 */
export function pathOf(context: ApiContext, endpoint: Endpoint, request: ApiRequest): string {
	const template = endpoint.slice(endpoint.indexOf(' ') + 1);
	return template.replace(/\{(\w+)\}/g, (_, name: string) => {
		const value = request.path?.[name]?.trim() ?? '';
		if (value === '' || value === '.' || value === '..' || NOT_IN_AN_ID.test(value)) {
			throw new NodeOperationError(
				context.getNode(),
				value === '' ? `The ${nameOfId(template, name)} is empty` : `The ${nameOfId(template, name)} is not an ID`,
				{
					itemIndex: request.itemIndex,
					description: 'Choose it from the list, or enter the ID as the service returned it.',
				},
			);
		}
		return encodeURIComponent(value);
	});
}

function nameOfId(template: string, name: string): string {
	if (name === 'recipientId') return 'recipient ID';
	if (name === 'deliveryId') return 'delivery ID';
	if (name === 'linkId') return 'template link ID';
	if (name === 'variant') return 'file variant';
	return (
		{ documents: 'document ID', templates: 'template ID', webhooks: 'webhook ID' }[template.split('/')[1] ?? ''] ?? 'ID'
	);
}

/** Without what the caller left unset: the service refuses unknown and undefined properties alike. */
export function withoutUnset(values: IDataObject | undefined): IDataObject | undefined {
	if (!values) return undefined;
	return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
