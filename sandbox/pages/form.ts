import type { FastifyRequest } from 'fastify';

/**
 * The texts of a submitted form by the names of its controls; the last one counts where a name came
 * twice.
 */
export function formTexts(request: FastifyRequest): Record<string, string> {
	const { body } = request;
	if (typeof body !== 'object' || body === null) return {};
	const entries = Object.entries(body).map(([name, value]): [string, string] => {
		const last: unknown = Array.isArray(value) ? value.at(-1) : value;
		return [name, typeof last === 'string' ? last : ''];
	});
	return Object.fromEntries(entries);
}
