import type { DownloadUrls } from '../downloads/downloadUrls';
import type { Endpoint } from '../http/endpoint';
import type { Cursors } from '../http/paging';
import type { DeliveryQueue } from '../webhooks/deliveries';
import type { World } from '../world';
import { accountEndpoints } from './account';
import { documentPartEndpoints } from './documentParts';
import { documentEndpoints } from './documents';
import { fileEndpoints } from './files';
import { templateLinkEndpoints } from './templateLinks';
import { templateEndpoints } from './templates';
import { webhookEndpoints } from './webhooks';

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
