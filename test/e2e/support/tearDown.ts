import { removeN8nFolder } from '../../../harness/n8nCore/n8nFolder';
import { removePacked } from './packed';

/** Jest's global tear-down. */
export default async function tearDown(): Promise<void> {
	await removePacked();
	await removeN8nFolder();
}
