/** A thread of enginePool.ts. It is plain JavaScript because a thread inherits no compiler from whoever started it. */
require('tsx/cjs');

module.exports = require('./engine.ts');
