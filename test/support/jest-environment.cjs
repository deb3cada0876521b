'use strict';
// Test files run in the realm of their worker, one after the other, and not each in a context of its own: a package that
// one file loaded is there for the next, and its errors are `instanceof Error` for all of them. Changes outside the file
// itself are undone after it: environment variables, console, spies, timers.
const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

/** Symbols under which jest-circus keeps the state of one file: handlers of events, and settings such as `jest.setTimeout`. */
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
    // The old fake timers are not used.
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

  /** No transformer: see jest-runtime.cjs. */
  getVmContext() {
    return null;
  }
};
