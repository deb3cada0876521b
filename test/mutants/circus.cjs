'use strict';
// One process that tries mutants: it runs test files by jest-circus, and evaluates the product and the test files anew for
// each mutant, from code that is compiled once. That takes tens of milliseconds, where a start of Jest takes seconds, and
// nothing that one mutant left is seen by the next. What it is asked comes from pool.cjs.
const fs = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const vm = require('node:vm');
const { ModernFakeTimers } = require('@jest/fake-timers');
const { jestExpect } = require('@jest/expect');
const circus = require('jest-circus');
const { ModuleMocker } = require('jest-mock');
const { codeOf } = require('../support/ts-hook.cjs');

const ROOT = path.resolve(__dirname, '../..') + path.sep;
const TESTS = path.join(ROOT, 'test') + path.sep;
/** Files with all their mutants inside, by their names in the repository. */
const CHANGED = process.env.AF_MUTANT_CODE;
const TEST_TIMEOUT_MS = 600_000;
const NONE = { test: () => false };

/** State that the changed files read (the active mutant) and write (the mutants that a test reached). */
const mutants = (globalThis.__stryker__ ??= {});
const mocker = new ModuleMocker(globalThis);
const timers = new ModernFakeTimers({ config: { rootDir: ROOT, fakeTimers: {} }, global: globalThis });
let run = {};

/**
 * Finds the mutants that each test of a file reaches, and its time. Returns nothing if the file loads none of
 * `changed`.
 */
async function tryUnchanged({ file, changed }) {
  mutants.mutantCoverage = { static: {}, perTest: {} };
  // Code that runs while the file is loaded, or in its hooks, counts as reached by each of its tests.
  mutants.currentTestId = 'whole';
  forget(ROOT);
  await runFile(file, { unless: () => !changed.some((name) => path.join(ROOT, name) in require.cache) });
  mutants.currentTestId = undefined;
  const { whole = {}, ...each } = mutants.mutantCoverage.perTest;
  const hits = {};
  for (const reached of [whole, ...Object.values(each)])
    for (const [id, count] of Object.entries(reached)) hits[id] = (hits[id] ?? 0) + count;
  const tests = run.tests.map(({ name, ms }) => ({ name, ms, reached: Object.keys(each[name] ?? {}) }));
  return { tests, whole: Object.keys(whole), hits, error: run.error ?? run.tests.find((test) => test.error)?.error };
}

/** The first test that notices a mutant, with what it says; undefined where none does. */
async function tryMutant({ id, files, hitLimit }) {
  forget(ROOT);
  mutants.activeMutant = id;
  // Code in threads and processes of its own is changed there too.
  process.env.__STRYKER_ACTIVE_MUTANT__ = id;
  mutants.hitCount = 0;
  mutants.hitLimit = hitLimit;
  try {
    for (const { file, names } of files) {
      await runFile(file, { only: new Set(names) });
      const failed = run.tests.find(({ error }) => error !== undefined);
      const error = failed?.error ?? run.error;
      if (error !== undefined) return { file, name: failed?.name ?? names[0], error };
    }
    return undefined;
  } finally {
    delete mutants.activeMutant;
    delete process.env.__STRYKER_ACTIVE_MUTANT__;
    mutants.hitCount = undefined;
  }
}

async function runFile(file, { only, unless }) {
  forget(TESTS);
  circus.resetState();
  const state = circus.getState();
  state.testTimeout = TEST_TIMEOUT_MS;
  run = { only, tests: [], error: undefined };
  const putBack = remember();
  try {
    require(path.join(ROOT, file));
    if (unless?.() === true) return;
    if (only !== undefined) state.testNamePattern = { test: (name) => only.has(name) };
    const { unhandledErrors } = await circus.run();
    run.error ??= unhandledErrors[0];
  } catch (error) {
    run.error = textOf(error);
  } finally {
    putBack();
  }
}

function follow({ name, test }) {
  if (name === 'test_started') {
    run.from = process.cpuUsage();
    if (run.only === undefined) mutants.currentTestId = nameOf(test);
  } else if (name === 'test_done') {
    if (run.only === undefined) mutants.currentTestId = 'whole';
    const { user, system } = process.cpuUsage(run.from);
    const error = test.errors.length > 0 ? textOf(test.errors[0]) : undefined;
    run.tests.push({ name: nameOf(test), ms: (user + system) / 1000, error });
    // The first that fails is enough: the others are passed over.
    if (error !== undefined && run.only !== undefined) circus.getState().testNamePattern = NONE;
  }
}

function nameOf(test) {
  const names = [test.name];
  for (let block = test.parent; block.parent !== undefined; block = block.parent) names.unshift(block.name);
  return names.join(' ');
}

function textOf(error) {
  const one = Array.isArray(error) ? (error[0] ?? error[1]) : error;
  return one instanceof Error ? `${one.message}\n${one.stack}` : String(one);
}

/** The next `require` of a file below it evaluates it again. */
function forget(place) {
  for (const name of Object.keys(require.cache)) {
    if (name.startsWith(place) && name.endsWith('.ts') && !name.includes('/node_modules/')) delete require.cache[name];
  }
}

/** Keeps global state that a test file changes, to restore it afterwards. */
function remember() {
  const { console: before } = globalThis;
  const env = { ...process.env };
  const exit = Reflect.get(process, 'exit');
  return () => {
    mocker.restoreAllMocks();
    timers.dispose();
    globalThis.console = before;
    process.exit = exit;
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    Object.assign(process.env, env);
  };
}

/** `@jest/globals`, as far as the tests use it. */
function offerJest() {
  const jest = {
    spyOn: mocker.spyOn.bind(mocker),
    fn: mocker.fn.bind(mocker),
    restoreAllMocks: () => mocker.restoreAllMocks(),
    setTimeout: (ms) => (circus.getState().testTimeout = ms),
    useFakeTimers: (settings) => timers.useFakeTimers(settings),
    useRealTimers: () => timers.useRealTimers(),
    advanceTimersByTime: (ms) => timers.advanceTimersByTime(ms),
    getTimerCount: () => timers.getTimerCount(),
  };
  const file = require.resolve('@jest/globals');
  const offered = new Module(file);
  Object.assign(offered, { filename: file, loaded: true, exports: { ...circus, expect: jestExpect, jest } });
  require.cache[file] = offered;
}

/** File name -> its compiled script: only running it is done for each mutant. */
const scripts = new Map();

require.extensions['.ts'] = (module, filename) => {
  if (!scripts.has(filename)) scripts.set(filename, compile(filename));
  const load = (name) => module.require(name);
  Object.assign(load, Module.createRequire(filename), { cache: require.cache });
  scripts.get(filename).runInThisContext()(module.exports, load, module, filename, path.dirname(filename));
};

function compile(filename) {
  const changed = path.join(CHANGED, path.relative(ROOT, filename));
  const code = codeOf(fs.existsSync(changed) ? changed : filename);
  const head = '(function (exports, require, module, __filename, __dirname) {';
  return new vm.Script(`${head}${code}\n})`, {
    filename,
    columnOffset: -head.length,
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
}

const noted = (error) => (run.error ??= textOf(error));
// Seen by the test that runs: what a mutant leaves behind must not end the process.
process.on('unhandledRejection', noted);
process.on('uncaughtException', noted);
process.env.NODE_ENV = 'test';
offerJest();
circus.addEventHandler(follow);
process.on('message', (asked) => {
  const answer = asked.kind === 'unchanged' ? tryUnchanged(asked) : tryMutant(asked);
  void answer.then((found) => process.send({ answer: found }));
});
process.on('disconnect', () => process.exit(0));
