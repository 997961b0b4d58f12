const { teardown } = require('./n8nFolder.js');

/** Jest's global tear-down. */
module.exports = teardown;
