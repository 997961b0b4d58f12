import type { DownloadUrls } from '../documents/files/downloadUrls';
import type { Endpoint } from '../http/route';
import type { Cursors } from './cursors';
import type { DeliveryQueue } from '../webhooks/deliveries';
import type { World } from '../state/world';
import { accountEndpoints } from './accountRoutes';
import { documentPartEndpoints } from './documentPartRoutes';
import { documentEndpoints } from './documentRoutes';
import { fileEndpoints } from './fileRoutes';
import { templateLinkEndpoints } from './templateLinkRoutes';
import { templateEndpoints } from './templateRoutes';
import { webhookEndpoints } from './webhookRoutes';

/** Every endpoint of api.md section 4. */
export function allEndpoints(
	world: World,
	parts: { cursors: Cursors; downloads: DownloadUrls; queue: DeliveryQueue },
): Endpoint[] {
	return [
		...accountEndpoints(world),
		...templateEndpoints(world, parts.cursors),
		...fileEndpoints(world),
		...documentEndpoints(world, parts.cursors),
		...documentPartEndpoints(world, parts.downloads),
		...templateLinkEndpoints(world),
		...webhookEndpoints(world, parts.queue),
	];
}
