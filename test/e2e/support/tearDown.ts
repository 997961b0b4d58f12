import { removeN8nFolder } from '../../support/n8nCore/n8nFolder';
import { removePacked } from './packed';
import { closeSharedN8n } from './sharedN8n';

/** Jest's global tear-down. */
export default async function tearDown(): Promise<void> {
	await closeSharedN8n();
	await removePacked();
	await removeN8nFolder();
}
