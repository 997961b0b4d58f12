import makeN8nFolder from '../../../harness/n8nCore/n8nFolder';
import { packForAll } from './packed';
import { offerSharedN8n } from './sharedN8n';

/** Jest's global set-up of the suites on a real n8n. */
export default async function setUp(): Promise<void> {
	await makeN8nFolder();
	await packForAll();
	await offerSharedN8n();
}
