import {
	NodeApiError,
	type IDataObject,
	type IExecuteFunctions,
	type ILoadOptionsFunctions,
} from 'n8n-workflow';
import {
	asThrown,
	client,
	serviceOf,
	type ApiRequest,
	type Endpoint,
	type ResponseOf,
} from '../client';
import { Readings } from '../operation';

/**
 * What forms have read of the service within the last minute, whichever list of whichever node
 * asked for it.
 */
const readings = new Readings(60_000, 200);

/**
 * What a form shows of the service: at most one request a minute for each object and each page of a
 * list. While the limit of the key is used up, the last answer counts, however old. Throws as
 * `client.call` does.
 */
export async function lookUp<E extends Endpoint>(
	context: ILoadOptionsFunctions,
	endpoint: E,
	request: ApiRequest = {},
): Promise<ResponseOf[E]> {
	const { keyId } = await serviceOf(context);
	const name = JSON.stringify([endpoint, keyId, request.path, request.query]);
	try {
		return await readings.read(name, async () => await client.call(context, endpoint, request));
	} catch (error) {
		const known = isLimitUsedUp(error) ? readings.known<ResponseOf[E]>(name) : undefined;
		if (known) return known;
		throw asThrown(error);
	}
}

/**
 * The same of the object whose ID another parameter holds. None while nothing is chosen there, or
 * an expression: an error would stand in the form of everybody who has just imported a workflow.
 */
export async function lookUpChosen<E extends Endpoint>(
	context: ILoadOptionsFunctions,
	parameter: string,
	endpoint: E,
	query?: IDataObject,
): Promise<{ found?: ResponseOf[E]; usedUp?: NodeApiError }> {
	const id: unknown = context.getCurrentNodeParameter(parameter, { extractValue: true });
	if (typeof id !== 'string' || id.trim() === '' || id.startsWith('=')) return {};
	try {
		return { found: await lookUp(context, endpoint, { path: { id: id.trim() }, query }) };
	} catch (error) {
		if (isLimitUsedUp(error)) return { usedUp: error };
		throw asThrown(error);
	}
}

function isLimitUsedUp(error: unknown): error is NodeApiError {
	return error instanceof NodeApiError && error.httpCode === '429';
}

/**
 * Forms read anew what a run of the node with this key may have changed. Templates are made in the
 * web application.
 */
export async function expireLookUps(context: IExecuteFunctions): Promise<void> {
	const { keyId } = await serviceOf(context);
	const isTemplate = /^\["GET \/templates(\/\{id\})?"/;
	readings.expire((name) => name.includes(keyId) && !isTemplate.test(name));
}

/** `in_progress` and `RADIO_GROUP` as a person would write them. */
export const inWords = (name: string) => name.toLowerCase().replace(/_/g, ' ');
