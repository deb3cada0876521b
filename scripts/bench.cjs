'use strict';
// `npm run bench`: the product against bare Temporal workflows of the same steps, on one server, in one run.
//   npm run bench -- --quick        a short look
//   npm run bench -- --only start-run,lists     the API's own requests
//   npm run bench -- --only parse,paging        connectors beside the libraries that they use
//   npm run bench -- --profile --only "W1 c20/pure"     where the CPU of a run goes, by thread and function
//   npm run bench -- --write        also writes the table into docs/performance.md
//   npm run bench -- --only start,memory        the first start, and the memory of each process
//   TEMPORAL_ADDRESS=host:port npm run bench    on that server in place of the embedded one
const { prepare } = require('./lib/prepare.cjs');
const { become, fail } = require('./lib/runtime.cjs');

try {
  prepare();
  become('bench/main.js', process.argv.slice(2));
} catch (error) {
  fail(error);
}
