'use strict';
// Replaces the API or the worker where only their processes matter: prints the ready line and ends at a signal.
const { createServer } = require('node:http');

const [, , kind] = process.argv;
process.once('SIGTERM', () => process.exit(0));
if (process.env.STAND_IN_FAILS === kind) {
  console.error(`${kind} cannot start`);
  process.exit(3);
}
if (process.env.STAND_IN_HANGS === kind) setInterval(() => undefined, 60_000);
else if (kind === 'api') {
  const server = createServer((_request, response) => response.end('{}'));
  server.listen(Number(process.env.AF_PORT), '127.0.0.1', () =>
    console.log(`api ready http://127.0.0.1:${process.env.AF_PORT}`),
  );
} else {
  setInterval(() => undefined, 60_000);
  console.log('worker ready');
}
console.log(
  JSON.stringify({ database: process.env.DATABASE_URL !== undefined, temporal: process.env.TEMPORAL_ADDRESS }),
);
