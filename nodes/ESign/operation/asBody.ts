import type { IDataObject } from 'n8n-workflow';

/** Values by the names that the service has for them: `redirectUrl` becomes `redirect_url`. */
export function asBody(values: IDataObject): IDataObject {
	const spelt = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
	return Object.fromEntries(Object.entries(values).map(([name, value]) => [spelt(name), value]));
}
