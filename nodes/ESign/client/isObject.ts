import type { IDataObject } from 'n8n-workflow';

/** Whether a value has named properties: a list has none, and neither have bytes. */
export function isObject(value: unknown): value is IDataObject {
	return (
		typeof value === 'object' && value !== null && !Array.isArray(value) && !Buffer.isBuffer(value)
	);
}
