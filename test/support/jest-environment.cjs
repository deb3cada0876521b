'use strict';
// Test files run in the realm of their worker, one after the other, and not in a context of their own each: a package that
// one file loaded is there for the next, and its errors are `instanceof Error` to all of them. What a file changes outside
// of itself is put back after it: the environment variables, the console, spies, timers.
const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

/** Where jest-circus keeps what belongs to one file: its handlers of events, and what `jest.setTimeout` and the like set. */
const OF_ONE_FILE = [
  'EVENT_HANDLERS',
  'TEST_TIMEOUT_SYMBOL',
  'RETRY_TIMES_SETTER',
  'RETRY_TIMES',
  'RETRY_IMMEDIATELY',
  'WAIT_BEFORE_RETRY',
  'LOG_ERRORS_BEFORE_RETRY',
].map((name) => Symbol.for(name));

module.exports = class WorkerRealm {
  constructor({ projectConfig }) {
    this.global = globalThis;
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    // Those of old are not used.
    this.fakeTimers = null;
    this.before = { console: globalThis.console, exit: Reflect.get(process, 'exit'), env: { ...process.env } };
  }

  async setup() {}

  async teardown() {
    this.moduleMocker.restoreAllMocks();
    this.fakeTimersModern.dispose();
    for (const name of OF_ONE_FILE) delete globalThis[name];
    globalThis.console = this.before.console;
    process.exit = this.before.exit;
    for (const name of Object.keys(process.env)) if (!(name in this.before.env)) delete process.env[name];
    Object.assign(process.env, this.before.env);
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  /** None: see jest-runtime.cjs. */
  getVmContext() {
    return null;
  }
};
