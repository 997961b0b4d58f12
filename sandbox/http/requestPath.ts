import type { FastifyRequest } from 'fastify';

/**
 * The path of a request without its query. Proxies may send the whole address, which the router
 * understands too.
 */
export function pathOf({ url }: Pick<FastifyRequest, 'url'>): string {
	const [path = ''] = url.split(/[?#]/, 1);
	return path.replace(/^https?:\/\/[^/]*/i, '');
}
