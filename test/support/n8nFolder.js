const { mkdtemp, rm } = require('node:fs/promises');
const { tmpdir } = require('node:os');
const path = require('node:path');

/** Jest's global set-up: n8n-core reads its folder when it is loaded, and a test never touches the user's own. */
module.exports = async () => {
	process.env.N8N_USER_FOLDER = await mkdtemp(path.join(tmpdir(), 'n8n-core-'));
};

module.exports.teardown = async () => {
	await rm(process.env.N8N_USER_FOLDER, { recursive: true, force: true });
};
