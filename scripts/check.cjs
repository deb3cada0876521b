'use strict';
// All checks that need no run of the program. With --fix the tools that can repair do so.
const { spawn } = require('node:child_process');
const path = require('node:path');
const { fail } = require('./lib/runtime.cjs');

const ROOT = path.resolve(__dirname, '..');
const fix = process.argv.includes('--fix');
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const FOLDERS = [
  'core',
  'infra',
  'connectors',
  'workflows',
  'activities',
  'worker',
  'src',
  'cli',
  'test',
  'bench',
  'scripts',
];
const bin = (name) => path.join(ROOT, 'node_modules', name);
// Two programs named tsc are installed; version 7 checks in a third of the time, so it is called by its path.
const TSC = bin('ts7/bin/tsc');

const checks = {
  types: [TSC, '-p', 'tsconfig.json'],
  lint: [bin('oxlint/bin/oxlint'), '--type-aware', '--deny-warnings', ...(fix ? ['--fix'] : [])],
  imports: [
    bin('dependency-cruiser/bin/dependency-cruise.mjs'),
    '--config',
    '.dependency-cruiser.cjs',
    ...FOLDERS.slice(0, 10),
  ],
  format: [
    bin('prettier/bin/prettier.cjs'),
    fix ? '--write' : '--check',
    '--log-level',
    'warn',
    '--cache',
    '--cache-strategy',
    'content',
    '.',
  ],
  exports: [bin('knip/bin/knip.js'), '--no-progress'],
  files: [path.join(__dirname, 'check-files.cjs')],
  build: [path.join(__dirname, 'build.cjs')],
};

// Runs two programs side by side where none writes: each uses one thread most of the time.
const LANES = fix ? 1 : 2;

/** Prints the output of a check as one block when it has ended. */
function run(name) {
  const [program, ...args] = checks[name];
  const started = Date.now();
  const child = spawn(process.execPath, [program, ...args], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => said.push(chunk));
  return new Promise((resolve) => {
    child.once('error', (error) => said.push(Buffer.from(`${error.message}\n`)));
    child.once('close', (code) => {
      process.stdout.write(Buffer.concat(said));
      console.log(`check ${name}: ${code === 0 ? 'ok' : 'failed'} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
      resolve(code === 0);
    });
  });
}

async function main() {
  const waiting = Object.keys(checks).filter((name) => wanted.length === 0 || wanted.includes(name));
  const failed = [];
  const lane = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift())
      if (!(await run(name))) failed.push(name);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  if (failed.length === 0) return;
  console.error(`These checks failed: ${failed.join(', ')}. "npm run check:fix" repairs what tools can repair.`);
  process.exitCode = 1;
}

main().catch(fail);
