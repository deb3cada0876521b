'use strict';
// `node -r test/support/keep-compiled.cjs`: writes compiled code to the folder of NODE_COMPILE_CACHE while the process
// runs. Node itself writes it at the exit, which a killed process never reaches.
const { flushCompileCache } = require('node:module');

setTimeout(flushCompileCache, 1_000).unref();
