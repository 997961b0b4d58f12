import type { IDataObject, ILoadOptionsFunctions, INodeParameters } from 'n8n-workflow';
import { client } from '../../nodes/ESign/client';
import { bench, openBench } from '../actions/support/operationRun';

/** A method that fills a list, a dropdown or a mapper. */
export type Look = (this: ILoadOptionsFunctions, ...asked: string[]) => Promise<unknown>;

let later = 0;

/** Whatever was read before this is older than a minute. */
export const aMinuteLater = () => void (later += 61_000);

/** The workbench of a test file, whose forms know nothing at the beginning of a test. */
export function openForms(): void {
	openBench();
	const { clock, interactivePatienceMs } = client.settings;
	const settings = {
		clock: { ...clock, now: () => clock.now() + later },
		interactivePatienceMs: 20,
	};
	beforeAll(() => void Object.assign(client.settings, settings));
	beforeEach(aMinuteLater);
	afterAll(() => void Object.assign(client.settings, { clock, interactivePatienceMs }));
}

/** What a form shows that is filled like this. */
export async function look(method: Look, filled: object, ...asked: string[]): Promise<unknown> {
	const { resource, operation, ...parameters } = filled as IDataObject;
	return await method.call(
		bench.form(String(resource), String(operation), parameters as INodeParameters),
		...asked,
	);
}

/** The paths of the requests since the last call. */
export const paths = () => bench.takeRequests().map(({ path }) => path);

export const TEMPLATE_SEND = { resource: 'template', operation: 'send' };
export const UPDATE_FIELDS = { resource: 'document', operation: 'updateFields' };
export const CREATE_LINK = { resource: 'templateLink', operation: 'create' };
