import makeN8nFolder from '../../support/n8nCore/n8nFolder';
import { ensureInstalled } from '../../support/n8nServer/installation';
import { packForAll } from './packed';
import { offerSharedN8n } from './sharedN8n';

/** Jest's global set-up of the suites on a real n8n. */
export default async function setUp(): Promise<void> {
	await makeN8nFolder();
	// Here no test waits for it, and no two processes compile it at once.
	await ensureInstalled();
	await packForAll();
	await offerSharedN8n();
}
