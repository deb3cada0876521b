'use strict';
// `npm run test:mutants`: changes the sources in small ways, one at a time, and counts the changes that no test notices.
//   npm run test:mutants                              every part, every file (hours)
//   npm run test:mutants -- --part core --files 20 --seed 3     twenty files of a part, drawn by a seed
//   npm run test:mutants -- --part core --only core/transform   the files below a path
// The whole report of a part is left in coverage/mutants/<part>.json, what survived in coverage/mutants/<part>.txt.
const fs = require('node:fs');
const path = require('node:path');
const { spawnSync } = require('node:child_process');
const { install } = require('./lib/prepare.cjs');
const { listFiles } = require('./lib/files.cjs');
const { ROOT, fail, nodeProgram } = require('./lib/runtime.cjs');

/** What is changed, and the tests that must notice. */
const PARTS = {
  core: { sources: 'core', tests: ['core'] },
  runner: { sources: 'activities/runner', tests: ['activities'] },
  paging: { sources: 'infra/connectors/paging', tests: ['infra/connectors'] },
  access: { sources: 'src/access', tests: ['api', 'house'] },
};
const LEAST_SCORE = 85;
const OUT = path.join(ROOT, 'coverage/mutants');

function parseArguments(given) {
  const options = { part: Object.keys(PARTS), only: '', files: Infinity, seed: 1 };
  for (let at = 0; at < given.length; at += 2) {
    const name = given[at].replace(/^--/, '');
    const value = given[at + 1];
    if (!(name in options) || value === undefined)
      throw new Error(`${given[at]} is not known or has no value: expected --part, --only, --files or --seed.`);
    options[name] = name === 'part' ? value.split(',') : name === 'only' ? value : Number(value);
  }
  const unknown = options.part.find((part) => !(part in PARTS));
  if (unknown !== undefined) throw new Error(`There is no part ${unknown}: expected ${Object.keys(PARTS).join(', ')}.`);
  if (!(options.files >= 1) || !Number.isInteger(options.seed))
    throw new Error('--files and --seed take whole numbers, such as: --files 20 --seed 3');
  return options;
}

/** Numerical Recipes' linear congruential generator: the same seed draws the same files on every machine. */
function drawn(files, { files: count, seed }) {
  let state = seed >>> 0;
  const next = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0);
  return files
    .map((file) => ({ file, at: next() }))
    .sort((a, b) => a.at - b.at)
    .slice(0, count)
    .map(({ file }) => file)
    .sort();
}

function sourcesOf(part, options) {
  const files = listFiles(path.join(ROOT, PARTS[part].sources))
    .map((file) => path.relative(ROOT, file).split(path.sep).join('/'))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('types.ts') && file.startsWith(options.only));
  return drawn(files.sort(), options);
}

function configure(part, mutate) {
  const temporary = path.join(OUT, `${part}.work`);
  const config = {
    testRunner: 'jest',
    jest: { configFile: 'test/mutants/jest.config.cjs', enableFindRelatedTests: true },
    coverageAnalysis: 'perTest',
    mutate,
    // Texts of messages are for people to read: no test holds each word of them.
    mutator: { excludedMutations: ['StringLiteral'] },
    concurrency: 2,
    timeoutMS: 30_000,
    reporters: ['json', 'progress-append-only'],
    jsonReporter: { fileName: path.join(OUT, `${part}.json`) },
    tempDirName: temporary,
    ignorePatterns: ['.af', 'dist', 'dist.*', 'docs', 'coverage'],
  };
  const file = path.join(OUT, `${part}.config.json`);
  fs.writeFileSync(file, JSON.stringify(config, null, 2));
  return file;
}

function run(part, options) {
  const mutate = sourcesOf(part, options);
  if (mutate.length === 0) return undefined;
  const tests = PARTS[part].tests.map((folder) => path.join('test', folder)).join(',');
  const program = path.join(ROOT, 'node_modules/@stryker-mutator/core/bin/stryker.js');
  const result = spawnSync(nodeProgram(), [program, 'run', configure(part, mutate)], {
    cwd: ROOT,
    stdio: 'inherit',
    env: {
      ...process.env,
      AF_MUTANT_TESTS: tests,
      PATH: `${path.dirname(nodeProgram())}${path.delimiter}${process.env.PATH}`,
    },
  });
  if (result.status !== 0)
    throw new Error(`The mutants of ${part} did not run to their end; what was said stands above.`);
  return readReport(part);
}

const CAUGHT = ['Killed', 'Timeout'];
const MISSED = ['Survived', 'NoCoverage'];

function readReport(part) {
  const { files } = JSON.parse(fs.readFileSync(path.join(OUT, `${part}.json`), 'utf8'));
  const all = Object.entries(files).flatMap(([file, { source, mutants }]) =>
    mutants.map((mutant) => ({ ...mutant, file, line: source.split('\n')[mutant.location.start.line - 1].trim() })),
  );
  const missed = all.filter(({ status }) => MISSED.includes(status));
  const caught = all.filter(({ status }) => CAUGHT.includes(status)).length;
  const lines = missed.map(
    ({ file, location, status, mutatorName, line, replacement }) =>
      `${file}:${location.start.line}:${location.start.column} ${status} ${mutatorName}\n    ${line}\n    -> ${replacement}`,
  );
  fs.writeFileSync(path.join(OUT, `${part}.txt`), `${lines.join('\n')}\n`);
  return { part, files: Object.keys(files).length, caught, missed: missed.length };
}

try {
  const options = parseArguments(process.argv.slice(2));
  install();
  fs.mkdirSync(OUT, { recursive: true });
  const results = options.part.map((part) => run(part, options)).filter((result) => result !== undefined);
  if (results.length === 0) throw new Error(`No file of ${options.part.join(', ')} is below ${options.only}.`);
  for (const { part, files, caught, missed } of results) {
    const score = (100 * caught) / (caught + missed || 1);
    console.log(`${part}: ${score.toFixed(1)} % of ${caught + missed} mutants in ${files} files caught, ${missed} not`);
    if (score < LEAST_SCORE) process.exitCode = 1;
  }
} catch (error) {
  fail(error);
}
