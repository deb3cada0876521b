import { BroadcastChannel, isMainThread } from 'node:worker_threads';
import { promiseHooks } from 'node:v8';
import { Script, type RunningScriptOptions } from 'node:vm';
import { BEAT_MS, WORKFLOW_THREAD } from './thread-watchdog';

/**
 * Loaded into every thread before anything else (`node --require`). In the thread that runs workflows it takes two
 * costs off, which together were a third of that thread's time (docs/decisions/0009):
 *
 * - The SDK takes a stack trace of every promise that workflow code makes, for the query `__stack_trace`. Our runs
 *   answer `progress` and `state` instead. The stack traces of errors are not touched.
 * - The SDK gives every call into the sandbox a time limit, for which Node starts and joins a system thread each time:
 *   0.2 ms, five times in each activation. One watchdog for the whole thread says the same.
 */
function prepare(): void {
  // Replaced for the workflow thread, the only caller: once, before it loads any workflow.
  promiseHooks.createHook = () => {
    dropTimeLimits();
    startBeating();
    return () => undefined;
  };
}

function dropTimeLimits(): void {
  const run = Reflect.get<Script, 'runInContext'>(Script.prototype, 'runInContext');
  Script.prototype.runInContext = function (this: Script, context, options?: RunningScriptOptions): unknown {
    if (options?.timeout === undefined) return run.call(this, context, options);
    const { timeout: _timeout, ...rest } = options;
    return run.call(this, context, rest);
  };
}

/** A thread that is stuck in a workflow sends none: see thread-watchdog.ts. */
function startBeating(): void {
  const channel = new BroadcastChannel(WORKFLOW_THREAD);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- not a window
  setInterval(() => channel.postMessage(''), BEAT_MS).unref();
}

if (!isMainThread) prepare();
