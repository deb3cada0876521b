'use strict';
// `npm run test:soak`: load with one fault a minute, then the ledger, and the memory of a worker that nobody touched.
//   npm run test:soak -- --minutes 60 --seed 1
const path = require('node:path');
const { spawn } = require('node:child_process');
const { parseArgs } = require('node:util');
const { prepare } = require('./lib/prepare.cjs');
const { ROOT, fail, nodeProgram } = require('./lib/runtime.cjs');

try {
  const options = { minutes: { type: 'string', default: '60' }, seed: { type: 'string', default: '1' } };
  const { values } = parseArgs({ options });
  const [minutes, seed] = [String(values.minutes), String(values.seed)];
  if (!(Number(minutes) > 0)) throw new Error(`--minutes takes a number above 0, not ${minutes}.`);
  if (!/^\d+$/.test(seed)) throw new Error(`--seed takes a whole number, not ${seed}.`);
  prepare();
  const program = ['-r', './test/support/ts-hook.cjs', './test/soak/soak.main.ts', minutes];
  const env = {
    ...process.env,
    AF_FAULT_SEED: seed,
    PATH: `${path.join(ROOT, 'node_modules/.bin')}${path.delimiter}${process.env.PATH}`,
  };
  const child = spawn(nodeProgram(), program, { cwd: ROOT, stdio: 'inherit', env });
  child.once('error', fail);
  child.once('exit', (code) => process.exit(code ?? 1));
} catch (error) {
  fail(error);
}
