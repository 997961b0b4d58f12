/** A refusal of the service, as sandbox/service.ts describes what its acts throw. */
export interface Refusal {
	statusCode: number;
	code: string;
	message: string;
	details?: Array<{ field: string; message: string }>;
}

/** Tells a refusal, which a page explains, from a fault of the sandbox, which it does not. */
export function asRefusal(error: unknown): Refusal | null {
	if (!(error instanceof Error) || !('statusCode' in error) || !('code' in error)) return null;
	const { statusCode, code, message } = error;
	if (typeof statusCode !== 'number' || typeof code !== 'string') return null;
	return { statusCode, code, message, details: detailsOf(error) };
}

function detailsOf(error: Error): Refusal['details'] {
	if (!('details' in error) || !Array.isArray(error.details)) return [];
	return error.details.flatMap((detail: unknown) => {
		if (typeof detail !== 'object' || detail === null || !('field' in detail) || !('message' in detail)) return [];
		return [{ field: String(detail.field), message: String(detail.message) }];
	});
}
