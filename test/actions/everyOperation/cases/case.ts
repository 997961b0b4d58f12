import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Endpoint } from '../../../../nodes/ESign/client';
import type { ServiceClient } from '../../../support/serviceClient';

/**
 * An operation as its form is filled in for two items, the requests that each of them takes, and
 * what is output.
 */
export interface Case {
	/**
	 * What the items hold; what they name is there. Each locator of the operation takes the ID of its
	 * name from there.
	 */
	items?: (service: ServiceClient) => Promise<IDataObject[]>;
	/** Beside the locators. */
	parameters?: INodeParameters;
	/** Requests that are made once, for the first item. */
	once?: string[];
	/** Method and path of each request, with IDs in braces that the item holds or that are output. */
	calls: string[];
	/** Endpoints of the operation that only a lost answer leads to. */
	afterLoss?: Endpoint[];
	/** The JSON of those requests that have some. */
	bodies?: (item: IDataObject, output: IDataObject) => unknown[];
	/** What is output beside other things: an object, or several. */
	output: (item: IDataObject) => object;
}

/** An access code, which no error and no log may hold. */
export const PIN = 'n3ver-2be-seen';

/** Two people, each of whom signs what one of the items is about. */
export const SIGNERS = [
	{ name: 'Ada Lovelace', email: 'ada@example.com' },
	{ name: 'Grace Hopper', email: 'grace@example.com' },
] as const;

export async function forBoth<T>(
	make: (signer: IDataObject, index: number) => Promise<T>,
): Promise<[T, T]> {
	return [await make(SIGNERS[0], 0), await make(SIGNERS[1], 1)];
}

/** What an item holds and what it has put out, put into the place of their names. */
export function filled(call: string, ...known: IDataObject[]): string {
	const values = Object.assign({}, ...known) as IDataObject;
	return call.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
}
