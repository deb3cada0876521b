'use strict';
// Prepares a clone so that dist/ can be started: packages as in the lock file, and a build of these sources.
const fs = require('node:fs');
const path = require('node:path');
const { spawnSync } = require('node:child_process');
const { buildState } = require('../build.cjs');
const { readText } = require('./files.cjs');
const { ROOT, nodeProgram, seconds } = require('./runtime.cjs');

const NEEDED_MB = 2000;

/** True if the installed packages are those of the lock file. npm records them when it has finished. */
function isInstalled() {
  const lock = readJson('package-lock.json');
  const installed = readJson('node_modules/.package-lock.json');
  if (lock === undefined || installed === undefined) return false;
  return Object.entries(lock.packages).every(([name, wanted]) => {
    const found = installed.packages[name];
    return name === '' || (found === undefined ? wanted.optional === true : found.version === wanted.version);
  });
}

function readJson(name) {
  try {
    return JSON.parse(readText(path.join(ROOT, name)));
  } catch {
    return undefined;
  }
}

function install() {
  if (isInstalled()) return;
  refuseFullDisk();
  const started = Date.now();
  console.log('install: npm ci (this takes a minute or two the first time)');
  const args = [
    'ci',
    '--ignore-scripts',
    '--include=dev',
    '--include=optional',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  const npm = process.env.npm_execpath;
  const options = { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 };
  const result =
    npm && npm.endsWith('.js') ? spawnSync(process.execPath, [npm, ...args], options) : spawnSync('npm', args, options);
  if (result.status !== 0) throw new Error(explainInstall(result));
  console.log(`install: done (${seconds(started)})`);
}

function refuseFullDisk() {
  if (typeof fs.statfsSync !== 'function') return;
  const { bavail, bsize } = fs.statfsSync(ROOT);
  const free = Math.floor((bavail * bsize) / 1024 / 1024);
  if (free < NEEDED_MB)
    throw new Error(
      `The disk has ${free} MB left and the packages need about ${NEEDED_MB} MB. Free some space and try again.`,
    );
}

function explainInstall(result) {
  if (result.error && result.error.code === 'ENOENT')
    return 'npm was not found. Install Node with npm, or put npm on PATH.';
  const said = `${result.stderr || ''}${result.stdout || ''}`;
  if (/ENOSPC/.test(said))
    return 'The packages could not be installed: the disk is full. Free some space and try again.';
  if (/ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNREFUSED|ECONNRESET|ENETUNREACH/.test(said)) {
    return 'The packages could not be installed: the package registry cannot be reached. Check the network (and npm\'s "registry" and proxy settings) and try again.';
  }
  if (/EACCES|EPERM|EROFS/.test(said))
    return `The packages could not be installed: ${ROOT} cannot be written by this user.`;
  return `The packages could not be installed. npm says:\n${said.trim().split('\n').slice(-15).join('\n')}`;
}

function build() {
  if (buildState().fresh) return;
  const started = Date.now();
  const result = spawnSync(nodeProgram(), [path.join(ROOT, 'scripts/build.cjs')], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (result.status !== 0) throw new Error('The build failed; what it said stands above.');
  console.log(`build: done (${seconds(started)})`);
}

/** Throws an error whose message is for people. */
function prepare() {
  install();
  build();
}

module.exports = { install, prepare };
