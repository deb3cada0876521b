'use strict';
// `npm test`: everything that the tests need, then all of them, then one line with the numbers.
//   npm test -- test/core          only files whose path matches
//   npm test -- --only db,api      only these projects
//   npm test -- --workers 2        so many files at a time
//   npm run test:fault -- --seeds 5   the fault cases at full size, with so many seeds
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { spawn } = require('node:child_process');
const { prepare } = require('./lib/prepare.cjs');
const { ROOT, fail, nodeProgram, seconds } = require('./lib/runtime.cjs');
const FULL_SIZE = require('../test/support/full-size.json');

const PROJECTS = ['small', 'db', 'api', 'replay', 'e2e', 'fault'];
const GB = 1024 ** 3;
/** A worker with the servers and processes that its file starts. */
const WORKER_BYTES = 3 * GB;
const LONGEST = 12;

function parseArguments(given) {
  const options = { only: undefined, seeds: undefined, workers: undefined, full: false, rest: [] };
  for (let at = 0; at < given.length; at++) {
    if (given[at] === '--only') options.only = (given[++at] || '').split(',');
    else if (given[at] === '--seeds') options.seeds = given[++at];
    else if (given[at] === '--workers') options.workers = given[++at];
    else if (given[at] === '--full') options.full = true;
    else options.rest.push(given[at]);
  }
  return options;
}

function environment(options) {
  const env = { ...process.env, PATH: `${path.join(ROOT, 'node_modules/.bin')}${path.delimiter}${process.env.PATH}` };
  if (options.full) env.AF_FAULT_FULL = '1';
  return env;
}

function wholeNumber(name, given, most) {
  const number = Number(given);
  if (!Number.isInteger(number) || number < 1 || number > most)
    throw new Error(`${name} takes a number from 1 to ${most}, such as: npm test -- ${name} 2`);
  return number;
}

/** Each seed is a whole run: random choices differ, and each run can be repeated alone. */
function seedsOf(options) {
  if (options.seeds === undefined) return [process.env.AF_FAULT_SEED || '1'];
  const count = wholeNumber('--seeds', options.seeds, 100);
  return Array.from({ length: count }, (_unused, at) => String(at + 1));
}

/**
 * Number of workers: at most five, on two cores too, as a file mostly waits for processes that it starts. Fewer if
 * memory is short, and one for the fault cases at full size, which need the whole machine.
 */
function workersOf({ workers, full }) {
  if (workers !== undefined) return wholeNumber('--workers', workers, 16);
  if (full) return 1;
  return Math.max(1, Math.min(5, os.availableParallelism() + 3, Math.floor(os.totalmem() / WORKER_BYTES)));
}

function runJest(projects, options, { report, seed, without }) {
  const jest = path.join(ROOT, 'node_modules/jest/bin/jest.js');
  const args = [
    jest,
    '--selectProjects',
    ...projects,
    `--maxWorkers=${workersOf(options)}`,
    '--passWithNoTests',
    '--json',
    `--outputFile=${report}`,
    ...without.map((file) => `--testPathIgnorePatterns=${file}`),
  ];
  const child = spawn(nodeProgram(), [...args, ...options.rest], {
    cwd: ROOT,
    env: { ...environment(options), AF_FAULT_SEED: seed },
    // The report goes to its file; what jest prints for people goes to standard error.
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => child.kill(signal));
  return new Promise((resolve) => {
    child.once('error', () => resolve(1));
    child.once('exit', (code) => resolve(code === null ? 1 : code));
  });
}

/** A file that could not even be loaded counts as one failure. */
function count(report, code) {
  if (!fs.existsSync(report)) return { passed: 0, failed: 1, skipped: [], files: [] };
  const result = JSON.parse(fs.readFileSync(report, 'utf8'));
  const failed = result.numFailedTests + result.numRuntimeErrorTestSuites;
  const skipped = result.testResults.flatMap((file) =>
    file.assertionResults.filter((each) => each.status === 'pending'),
  );
  return {
    passed: result.numPassedTests,
    failed: failed === 0 && code !== 0 ? 1 : failed,
    skipped: skipped.map((each) => each.fullName),
    files: result.testResults.map(({ name, startTime, endTime }) => ({
      name: path.relative(ROOT, name),
      seconds: Math.round((endTime - startTime) / 1000),
    })),
  };
}

/** Longest files of this run: values for test/support/long-files.json. */
function longest(files) {
  const sorted = [...files].sort((a, b) => b.seconds - a.seconds).slice(0, LONGEST);
  return sorted.map(({ name, seconds: took }) => `${name} ${took} s`).join(', ');
}

async function main() {
  prepare();
  const options = parseArguments(process.argv.slice(2));
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'af-report-'));
  const skipped = new Set();
  const total = { passed: 0, failed: 0 };
  const projects = PROJECTS.filter((name) => options.only === undefined || options.only.includes(name));
  // Seeds are for the fault cases alone.
  const [first, ...others] = projects.includes('fault') ? seedsOf(options) : seedsOf(options).slice(0, 1);
  const runs = [
    { seed: first, projects, without: [] },
    // Files without random choices: one run is enough.
    ...others.map((seed) => ({ seed, projects: ['fault'], without: FULL_SIZE })),
  ];
  try {
    for (const { seed, projects: chosen, without } of runs.filter((each) => each.projects.length > 0)) {
      const started = Date.now();
      const report = path.join(folder, `${seed}.json`);
      const result = count(report, await runJest(chosen, options, { report, seed, without }));
      total.passed += result.passed;
      total.failed += result.failed;
      result.skipped.forEach((name) => skipped.add(name));
      console.log(`longest: ${longest(result.files)}`);
      const which = others.length > 0 ? ` (seed ${seed})` : '';
      console.log(
        `tests ${chosen.join(', ')}${which}: ${result.passed} passed, ${result.failed} failed (${seconds(started)})`,
      );
    }
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
  for (const name of skipped) console.log(`skipped: ${name}`);
  console.log(`${total.passed} passed, ${total.failed} failed`);
  process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1;
}

main().catch(fail);
