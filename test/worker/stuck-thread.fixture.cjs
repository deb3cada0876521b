'use strict';
// Plays the worker: its thread asks for promise hooks as the SDK does, works, and then is stuck for ever.
const path = require('node:path');
const { promiseHooks } = require('node:v8');
const { createContext, Script } = require('node:vm');
const { isMainThread, Worker } = require('node:worker_threads');

function playWorker() {
  const { watchWorkflowThread } = require(path.join(__dirname, '../../worker/thread-watchdog.ts'));
  watchWorkflowThread(
    5_000,
    () => {
      console.log('stuck');
      process.exit(7);
    },
    500,
  );
  const thread = new Worker(__filename);
  thread.on('error', (error) => console.error(error));
}

function playThread() {
  let promises = 0;
  const stop = promiseHooks.createHook({ init: () => (promises += 1) });
  void Promise.resolve().then(() => undefined);
  const slow = new Script('for (let i = 0; i < 3e7; i++); "not cut off"');
  const result = slow.runInContext(createContext({}), { timeout: 1 });
  process.stdout.write(`hooks ${typeof stop} ${promises}\n${result}\n`);
  setTimeout(() => {
    for (;;);
  }, 3_000);
}

if (isMainThread) playWorker();
else playThread();
