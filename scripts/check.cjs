'use strict';
// Everything that can be said without running the program. With --fix the tools that can repair do so.
const { spawnSync } = require('node:child_process');
const path = require('node:path');

const ROOT = path.resolve(__dirname, '..');
const fix = process.argv.includes('--fix');
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const FOLDERS = ['core', 'infra', 'workflows', 'activities', 'worker', 'src', 'cli', 'test', 'bench', 'scripts'];
const bin = (name) => path.join(ROOT, 'node_modules', name);
// Two programs called tsc are installed; version 7 checks in a third of the time, so it is called by its path.
const TSC = bin('ts7/bin/tsc');

const checks = {
  types: [TSC, '-p', 'tsconfig.json'],
  lint: [bin('oxlint/bin/oxlint'), '--type-aware', '--deny-warnings', ...(fix ? ['--fix'] : [])],
  imports: [
    bin('dependency-cruiser/bin/dependency-cruise.mjs'),
    '--config',
    '.dependency-cruiser.cjs',
    ...FOLDERS.slice(0, 9),
  ],
  format: [bin('prettier/bin/prettier.cjs'), fix ? '--write' : '--check', '--log-level', 'warn', '.'],
  files: [path.join(__dirname, 'check-files.cjs')],
  build: [path.join(__dirname, 'build.cjs')],
};

const failed = [];
for (const [name, [program, ...args]] of Object.entries(checks)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const started = Date.now();
  const result = spawnSync(process.execPath, [program, ...args], { cwd: ROOT, stdio: 'inherit' });
  const ok = result.status === 0;
  if (!ok) failed.push(name);
  console.log(`check ${name}: ${ok ? 'ok' : 'failed'} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
}
if (failed.length > 0) {
  console.error(`These checks failed: ${failed.join(', ')}. "npm run check:fix" repairs what tools can repair.`);
  process.exitCode = 1;
}
