'use strict';
// `node -r test/support/keep-compiled.cjs`: what this process compiles is kept in the folder of NODE_COMPILE_CACHE while
// it runs. Node itself writes it at the exit, which a process that is killed never sees.
const { flushCompileCache } = require('node:module');

setTimeout(flushCompileCache, 1_000).unref();
