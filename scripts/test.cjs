'use strict';
// `npm test`: everything that the tests need, then all of them, then one line with the numbers.
//   npm test -- test/core          only files whose path matches
//   npm test -- --only db,api      only these projects
//   npm run test:fault -- --seeds 5   the fault cases at full size, with so many seeds
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { spawn } = require('node:child_process');
const { prepare } = require('./lib/prepare.cjs');
const { ROOT, fail, nodeProgram, seconds } = require('./lib/runtime.cjs');

// What starts whole profiles and kills them runs alone; the rest shares two workers.
const GROUPS = [
  { projects: ['small', 'db', 'api', 'replay'], workers: ['--maxWorkers=2'] },
  { projects: ['e2e', 'fault'], workers: ['--runInBand'] },
];

function parseArguments(given) {
  const options = { only: undefined, seeds: undefined, full: false, rest: [] };
  for (let at = 0; at < given.length; at++) {
    if (given[at] === '--only') options.only = (given[++at] || '').split(',');
    else if (given[at] === '--seeds') options.seeds = given[++at];
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

/** Every seed is a whole run: what is drawn at random differs, and each can be repeated alone. */
function seedsOf(options) {
  if (options.seeds === undefined) return [process.env.AF_FAULT_SEED || '1'];
  const count = Number(options.seeds);
  if (!Number.isInteger(count) || count < 1 || count > 100)
    throw new Error('--seeds takes a number from 1 to 100, such as: npm run test:fault -- --seeds 5');
  return Array.from({ length: count }, (_unused, at) => String(at + 1));
}

function runJest(group, options, { report, seed }) {
  const jest = path.join(ROOT, 'node_modules/jest/bin/jest.js');
  const args = [
    jest,
    '--selectProjects',
    ...group.projects,
    ...group.workers,
    '--passWithNoTests',
    '--json',
    `--outputFile=${report}`,
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
  if (!fs.existsSync(report)) return { passed: 0, failed: 1, skipped: [] };
  const result = JSON.parse(fs.readFileSync(report, 'utf8'));
  const failed = result.numFailedTests + result.numRuntimeErrorTestSuites;
  const skipped = result.testResults.flatMap((file) =>
    file.assertionResults.filter((each) => each.status === 'pending'),
  );
  return {
    passed: result.numPassedTests,
    failed: failed === 0 && code !== 0 ? 1 : failed,
    skipped: skipped.map((each) => each.fullName),
  };
}

async function main() {
  prepare();
  const options = parseArguments(process.argv.slice(2));
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'af-report-'));
  const skipped = new Set();
  const total = { passed: 0, failed: 0 };
  const seeds = seedsOf(options);
  try {
    for (const [at, { projects, workers }] of GROUPS.entries()) {
      const chosen = projects.filter((name) => options.only === undefined || options.only.includes(name));
      if (chosen.length === 0) continue;
      // Seeds are for the fault cases alone.
      for (const seed of chosen.includes('fault') ? seeds : seeds.slice(0, 1)) {
        const started = Date.now();
        const report = path.join(folder, `${at}-${seed}.json`);
        const code = await runJest({ projects: chosen, workers }, options, { report, seed });
        const result = count(report, code);
        total.passed += result.passed;
        total.failed += result.failed;
        result.skipped.forEach((name) => skipped.add(name));
        const which = seeds.length > 1 ? ` (seed ${seed})` : '';
        console.log(
          `tests ${chosen.join(', ')}${which}: ${result.passed} passed, ${result.failed} failed (${seconds(started)})`,
        );
      }
    }
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
  for (const name of skipped) console.log(`skipped: ${name}`);
  console.log(`${total.passed} passed, ${total.failed} failed`);
  process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1;
}

main().catch(fail);
