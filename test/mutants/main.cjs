'use strict';
// `npm run test:mutants` (scripts/mutants.cjs says how): counts the small changes of the sources that no test notices.
const { createHash } = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');
const { createRunFolder, removeRunFolder } = require('../support/run-folder');
const { hashFiles, listFiles } = require('../../scripts/lib/files.cjs');
const { mutantsOf } = require('./mutants.cjs');
const { Pool } = require('./pool.cjs');
const { compare, listed } = require('./survivors.cjs');

const ROOT = path.resolve(__dirname, '../..');
const OUT = path.join(ROOT, 'coverage/mutants');
const LEAST_SCORE = 85;

/** Parts that are changed, and the tests that must notice. */
const PARTS = {
  core: {
    sources: 'core',
    // Readers of definitions and samples are also tested by the calls that use their results.
    tests: [
      'test/core',
      'test/connectors/openapi/importer.test.ts',
      ...[
        'auth/rest-auth',
        'call/binding',
        'formats/tables',
        'formats/texts',
        'from-yaml',
        'http/bodies',
        'kinds/feeds/parse-feed',
        'kinds/graphql/call-graphql',
        'kinds/rest/call-rest-api',
        'kinds/rest/nulls',
        'kinds/scraper/call-web-scraper',
        'kinds/scraper/pages',
        'paging/page-positions',
        'sample/sample',
      ].map((name) => `test/connectors/${name}.test.ts`),
    ],
  },
  runner: { sources: 'activities/runner', tests: ['test/activities/runner'] },
  paging: {
    sources: 'connectors/paging',
    tests: [
      'from-yaml',
      'kinds/graphql/call-graphql',
      'kinds/rest/rest-failures',
      'paging/fingerprint',
      'paging/list-ends',
      'paging/page-positions',
      'paging/paging',
      'paging/paging-caps',
      'paging/reading-pages',
    ].map((name) => `test/connectors/${name}.test.ts`),
  },
  access: {
    sources: 'src/access',
    tests: ['access-guard', 'route-rules', 'shown-credentials'].map((name) => `test/api/${name}.test.ts`),
  },
};

/** Tests that a mutant gets, in the time of the processor that they take without it. */
const MOST_TESTS_MS = 4_000;
const LEAST_LIMIT_MS = 3_000;
/** A mutant that is reached so many times more often runs on and on. */
const HIT_FACTOR = 100;

function parseArguments(given) {
  const options = { part: Object.keys(PARTS), only: '', tests: '', mutants: Infinity, seed: 1, workers: 2 };
  for (let at = 0; at < given.length; at += 2) {
    const name = given[at].replace(/^--/, '');
    const value = given[at + 1];
    if (!(name in options) || value === undefined)
      throw new Error(`${given[at]} is not known or has no value: expected --${Object.keys(options).join(', --')}.`);
    options[name] = name === 'part' ? value.split(',') : name === 'only' || name === 'tests' ? value : Number(value);
  }
  const unknown = options.part.find((part) => !(part in PARTS));
  if (unknown !== undefined) throw new Error(`There is no part ${unknown}: expected ${Object.keys(PARTS).join(', ')}.`);
  const counts = [options.mutants, options.seed, options.workers];
  if (!counts.every((count) => count === Infinity || (Number.isInteger(count) && count >= 1)))
    throw new Error('--mutants, --seed and --workers take whole numbers, such as: --mutants 400 --seed 3');
  return options;
}

/** Draws by a hash, so that the same seed draws the same mutants when others come or go. */
function drawn(mutants, { mutants: count, seed }) {
  if (mutants.length <= count) return mutants;
  const rank = ({ key }) => createHash('sha1').update(`${seed}\0${key}`).digest('hex');
  const ranked = mutants.map((mutant) => ({ mutant, at: rank(mutant) })).sort((a, b) => (a.at < b.at ? -1 : 1));
  const chosen = new Set(ranked.slice(0, count).map(({ mutant }) => mutant));
  return mutants.filter((mutant) => chosen.has(mutant));
}

function sourcesOf(part, only) {
  return listFiles(path.join(ROOT, PARTS[part].sources))
    .map((file) => path.relative(ROOT, file).split(path.sep).join('/'))
    .filter((file) => file.endsWith('.ts') && file.startsWith(only));
}

function testFilesOf(part, below) {
  return PARTS[part].tests
    .flatMap((place) => (place.endsWith('.ts') ? [path.join(ROOT, place)] : listFiles(path.join(ROOT, place))))
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => path.relative(ROOT, file))
    .filter((file) => below.split(',').some((place) => file.startsWith(place)));
}

/** Mutant -> the tests that reach it; how often all of them do. */
async function reachOf(pool, { tests, changed }) {
  const reach = new Map();
  const hits = new Map();
  const tasks = tests.map((file) => () => ({ ask: { kind: 'unchanged', file, changed }, limitMs: 300_000 }));
  await pool.run(tasks, ({ ask: { file } }, found) => {
    const said = found?.answer;
    if (said?.error !== undefined || said === undefined)
      throw new Error(`Without any change, ${file} fails: ${said?.error ?? 'it does not end'}`);
    said.tests.forEach(({ name, ms, reached }) => {
      for (const id of new Set([...reached, ...said.whole])) {
        if (!reach.has(id)) reach.set(id, []);
        reach.get(id).push({ file, name, ms });
      }
    });
    for (const [id, count] of Object.entries(said.hits)) hits.set(id, (hits.get(id) ?? 0) + count);
  });
  return { reach, hits };
}

/** Source file -> the tests that caught its last mutants, the last one first: they catch most of its others. */
const lately = new Map();
const MOST_LATELY = 4;

function caughtBy(mutant, { file, name }) {
  const others = (lately.get(mutant.file) ?? []).filter((test) => test.file !== file || test.name !== name);
  lately.set(mutant.file, [{ file, name }, ...others].slice(0, MOST_LATELY));
}

/** The tests that caught others lately, then the nearest and fastest of those that reach it, until the time is spent. */
function taskOf(mutant, { reach, hits }) {
  const tests = reach.get(mutant.id) ?? [];
  const first = (lately.get(mutant.file) ?? [])
    .filter((test) => tests.some(({ file, name }) => file === test.file && name === test.name))
    .map(({ file, name }) => ({ file, names: [name] }));
  let ms = 0;
  const chosen = tests
    .map((test) => ({ ...test, rank: test.ms * (1 + distance(test.file, mutant.file)) }))
    .sort((a, b) => a.rank - b.rank)
    .filter((test, at) => (ms += test.ms) <= MOST_TESTS_MS || at === 0);
  const files = [...Map.groupBy(chosen, ({ file }) => file)].map(([file, own]) => ({
    file,
    names: own.map(({ name }) => name),
  }));
  const hitLimit = HIT_FACTOR * (hits.get(mutant.id) ?? 1);
  const ask = { kind: 'mutant', id: mutant.id, files: [...first, ...files], hitLimit };
  return { mutant, ask, limitMs: LEAST_LIMIT_MS + 3 * Math.min(ms, MOST_TESTS_MS) };
}

/** 0: the test lies where the changed file does; more with each folder that only one of both has. */
function distance(test, changed) {
  const here = path.dirname(test).split('/').slice(1);
  const there = path.dirname(changed).split('/');
  const shared = here.filter((name, at) => here.slice(0, at + 1).join('/') === there.slice(0, at + 1).join('/')).length;
  return here.length + there.length - 2 * shared;
}

/**
 * Reads results of an earlier run that still hold: a caught mutant counts as long as the test that caught it is the
 * same.
 */
function readEarlier(file, state) {
  if (!fs.existsSync(file)) return new Map();
  const lines = fs.readFileSync(file, 'utf8').split('\n').filter(Boolean);
  const found = lines.map((line) => JSON.parse(line));
  const same = ({ caught, by, of }) => of === (caught && by !== undefined ? hashOf(by) : state);
  return new Map(found.filter(same).map((one) => [one.key, one]));
}

const hashes = new Map();
function hashOf(file) {
  if (!hashes.has(file))
    hashes.set(file, fs.existsSync(path.join(ROOT, file)) ? hashFiles(ROOT, [path.join(ROOT, file)]) : '');
  return hashes.get(file);
}

async function runPart(part, options) {
  const changed = sourcesOf(part, options.only);
  if (changed.length === 0) return undefined;
  const code = path.join(OUT, part);
  const results = path.join(OUT, `${part}.jsonl`);
  const tests = testFilesOf(part, options.tests);
  const state = hashFiles(
    ROOT,
    listFiles(path.join(ROOT, 'test')).filter((file) => tests.includes(path.relative(ROOT, file))),
  );
  const all = await mutantsOf(changed, code);
  const mutants = drawn(all, options);
  const earlier = readEarlier(results, state);
  const open = mutants.filter(({ key }) => !earlier.has(key));
  const tried = mutants
    .filter(({ key }) => earlier.has(key))
    .map((one) => ({ ...one, caught: earlier.get(one.key).caught }));
  say(`${part}: ${mutants.length} of ${all.length} mutants in ${changed.length} files, ${open.length} to try`);
  const pool = new Pool({ size: options.workers, code });
  process.once('exit', () => pool.close());
  const known = open.length === 0 ? undefined : await reachOf(pool, { tests, changed });
  const tasks = open.map((mutant) => () => taskOf(mutant, known));
  say(`${part}: the tests are known`);
  await pool.run(tasks, ({ mutant, ask }, found) => {
    const by = found?.answer;
    const caught = ask.files.length > 0 && (found === undefined || by !== undefined);
    if (by !== undefined) caughtBy(mutant, by);
    const { key, file, line, change } = mutant;
    const kept = { key, caught, by: by?.file, of: by === undefined ? state : hashOf(by.file) };
    const said = { place: `${file}:${line}`, change, how: found === undefined ? 'no end' : by?.name };
    fs.appendFileSync(results, `${JSON.stringify({ ...kept, ...said })}\n`);
    tried.push({ ...mutant, caught });
    if (tried.length % 50 === 0)
      say(`${part}: ${tried.length} of ${mutants.length}, ${tried.filter((one) => !one.caught).length} survived`);
  });
  return { part, tried };
}

function say(text) {
  console.log(`${new Date().toISOString().slice(11, 19)} ${text}`);
}

function report({ part, tried }) {
  const order = new Map(tried.map((mutant) => [mutant, `${mutant.file}\0${String(mutant.line).padStart(5)}`]));
  const { fresh, caught } = compare([...tried].sort((a, b) => (order.get(a) < order.get(b) ? -1 : 1)));
  fs.writeFileSync(path.join(OUT, `${part}.txt`), `${listed(fresh)}\n`);
  const folders = Map.groupBy(tried, ({ file }) =>
    file
      .split('/')
      .slice(0, part === 'core' ? 2 : 9)
      .join('/'),
  );
  for (const [folder, own] of folders) console.log(scoreOf(`  ${folder}`, own));
  console.log(scoreOf(part, tried));
  if (fresh.length > 0) console.log(`${fresh.length} of them are new: coverage/mutants/${part}.txt`);
  for (const name of caught)
    console.log(`Caught now, to be taken off test/mutants/survivors.txt: ${name.replaceAll('\n', ' | ')}`);
  if (fresh.length > 0 || (100 * tried.filter((one) => one.caught).length) / tried.length < LEAST_SCORE)
    process.exitCode = 1;
}

function scoreOf(name, tried) {
  const caught = tried.filter((one) => one.caught).length;
  return `${name}: ${((100 * caught) / tried.length).toFixed(1)} % of ${tried.length} mutants caught, ${tried.length - caught} survived`;
}

async function main() {
  const options = parseArguments(process.argv.slice(2));
  fs.mkdirSync(OUT, { recursive: true });
  createRunFolder();
  process.once('exit', () => removeRunFolder());
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
  for (const part of options.part) {
    const result = await runPart(part, options);
    if (result !== undefined) report(result);
  }
}

main().catch((error) => {
  console.error(error.message);
  process.exit(1);
});
