'use strict';
// `npm run test:mutants`: changes the sources in small ways, one at a time, and counts the changes that no test notices.
//   npm run test:mutants                              every part, every mutant (an evening)
//   npm run test:mutants -- --part core --mutants 400 --seed 3   so many mutants of a part, drawn by a seed
//   npm run test:mutants -- --part core --only core/transform    the files below a path
// docs/mutants.md says the rest.
const path = require('node:path');
const { spawnSync } = require('node:child_process');
const { install } = require('./lib/prepare.cjs');
const { ROOT, fail, nodeProgram } = require('./lib/runtime.cjs');

try {
  install();
  const program = ['-r', './test/support/ts-hook.cjs', path.join(ROOT, 'test/mutants/main.cjs')];
  const { status } = spawnSync(nodeProgram(), [...program, ...process.argv.slice(2)], { cwd: ROOT, stdio: 'inherit' });
  process.exitCode = status ?? 1;
} catch (error) {
  fail(error);
}
