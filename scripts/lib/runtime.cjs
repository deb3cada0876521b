'use strict';
// Runs on any Node from 18 on, before anything is installed: no dependency, no new syntax.
const fs = require('node:fs');
const path = require('node:path');
const { spawn } = require('node:child_process');

const ROOT = path.resolve(__dirname, '../..');
const OLDEST = [24, 15];

function isNewEnough(version) {
  const [major, minor] = version.split('.').map(Number);
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
}

/** The Node that the product runs on: the one that was installed with it, else this one where it is new enough. */
function nodeProgram() {
  const installed = path.join(ROOT, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin/node');
  if (fs.existsSync(installed)) return installed;
  if (isNewEnough(process.versions.node)) return process.execPath;
  throw new Error(
    `Node ${OLDEST.join('.')} or newer is needed, this is ${process.versions.node}, and the package that brings it is not installed. ` +
      'Run "npm ci --ignore-scripts" without --omit=optional, or use a newer Node.',
  );
}

/** Runs a script of dist/ with that Node, passes signals on, and ends as it ended. */
function become(script, args) {
  const file = path.join(ROOT, 'dist', script);
  if (!fs.existsSync(file))
    return fail(new Error('Agent Factory is not built yet. Run "npm run quickstart" or "npm run build" first.'));
  const child = spawn(nodeProgram(), [file, ...args], { stdio: 'inherit' });
  let told = false;
  const tell = (signal) => {
    told = true;
    child.kill(signal);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => tell(signal));
  // A second signal means "at once", so a signal that was passed on is not passed on again.
  if (process.env.npm_lifecycle_event !== undefined) whenParentEnds(() => told || tell('SIGTERM'));
  child.once('error', fail);
  child.once('exit', (code, signal) => process.exit(signal === null ? code : 1));
}

/**
 * npm passes SIGTERM and SIGINT to the shell between us, which may end without us; SIGHUP and its own death it
 * does not pass on. Both are seen in the parent processes.
 */
function whenParentEnds(act) {
  const before = linkToNpm();
  const timer = setInterval(() => {
    if (linkToNpm() === before) return;
    clearInterval(timer);
    act();
  }, 250);
  timer.unref();
}

/** Our parent, and, where that is npm's shell, its parent. */
function linkToNpm() {
  const parent = process.ppid;
  const isShell = readProc(parent, 'cmdline').split('\0')[1] === '-c';
  const stat = isShell ? readProc(parent, 'stat') : '';
  return `${parent} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]}`;
}

/** Empty where the process has ended, and where there is no /proc. */
function readProc(pid, what) {
  try {
    return fs.readFileSync(`/proc/${pid}/${what}`, 'utf8');
  } catch {
    return '';
  }
}

function fail(error) {
  console.error(error.message);
  process.exit(1);
}

function seconds(since) {
  return `${((Date.now() - since) / 1000).toFixed(1)} s`;
}

module.exports = { ROOT, become, fail, nodeProgram, seconds };
