'use strict';
// `npm run openapi`: the document, and the types that the command line has from it.
const { spawnSync } = require('node:child_process');
const { ROOT, nodeProgram } = require('./lib/runtime.cjs');

const DOCUMENT = 'openapi.json';
const STEPS = [
  ['-r', './test/support/ts-hook.cjs', 'src/openapi.main.ts', DOCUMENT],
  ['node_modules/openapi-typescript/bin/cli.js', DOCUMENT, '-o', 'cli/http/api.gen.ts'],
];

for (const args of STEPS) {
  const { status } = spawnSync(nodeProgram(), args, { cwd: ROOT, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
