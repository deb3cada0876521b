'use strict';
// `npm run dev`: the embedded profile; when a source changes, dist/ is built anew and API and worker start again with it.
const fs = require('node:fs');
const path = require('node:path');
const { spawn, spawnSync } = require('node:child_process');
const { WATCHED } = require('./build.cjs');
const { prepare } = require('./lib/prepare.cjs');
const { ROOT, fail, nodeProgram } = require('./lib/runtime.cjs');

/** Editors write a file in several steps, and a checkout writes many. */
const QUIET_MS = 300;
const AF = path.join(ROOT, 'dist/cli/main.js');

/** Addresses and pids of the running profile; undefined while it starts or stops. */
function endpoints() {
  const { status, stdout } = spawnSync(nodeProgram(), [AF, 'status', '--json'], { cwd: ROOT, encoding: 'utf8' });
  return status === 0 ? JSON.parse(stdout) : undefined;
}

/** The supervisor of the profile restarts the processes that end. */
function restart() {
  const { api, worker } = endpoints() ?? {};
  for (const part of [api, worker]) if (part?.pid) process.kill(part.pid, 'SIGTERM');
}

function rebuild() {
  const { status } = spawnSync(nodeProgram(), [path.join(ROOT, 'scripts/build.cjs')], { cwd: ROOT, stdio: 'inherit' });
  if (status === 0) restart();
  else console.error('dev: the build failed; what runs is that of before.');
}

function watch(profile) {
  let waiting;
  const watchers = WATCHED.map((folder) =>
    fs.watch(path.join(ROOT, folder), { recursive: true }, () => {
      clearTimeout(waiting);
      waiting = setTimeout(rebuild, QUIET_MS);
    }),
  );
  profile.once('exit', (code) => {
    clearTimeout(waiting);
    for (const watcher of watchers) watcher.close();
    process.exitCode = code ?? 1;
  });
}

try {
  prepare();
  const profile = spawn(nodeProgram(), [AF, 'up', ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => profile.kill(signal));
  profile.once('error', fail);
  watch(profile);
} catch (error) {
  fail(error);
}
