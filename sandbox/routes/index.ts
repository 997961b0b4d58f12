import type { DownloadUrls } from '../documents/files/downloadUrls';
import type { Route } from '../http/route';
import type { Cursors } from './cursors';
import type { DeliveryQueue } from '../webhooks/deliveries';
import type { World } from '../state/world';
import { accountRoutes } from './accountRoutes';
import { documentPartRoutes } from './documentPartRoutes';
import { documentRoutes } from './documentRoutes';
import { fileRoutes } from './fileRoutes';
import { templateLinkRoutes } from './templateLinkRoutes';
import { templateRoutes } from './templateRoutes';
import { webhookRoutes } from './webhookRoutes';

/** Every endpoint of docs/service.md section 4. */
export function allRoutes(
	world: World,
	parts: { cursors: Cursors; downloads: DownloadUrls; queue: DeliveryQueue },
): Route[] {
	return [
		...accountRoutes(world),
		...templateRoutes(world, parts.cursors),
		...fileRoutes(world),
		...documentRoutes(world, parts.cursors),
		...documentPartRoutes(world, parts.downloads),
		...templateLinkRoutes(world),
		...webhookRoutes(world, parts.queue),
	];
}
