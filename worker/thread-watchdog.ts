import { BroadcastChannel } from 'node:worker_threads';

export const WORKFLOW_THREAD = 'agent-factory-workflow-thread';
export const BEAT_MS = 2_000;
const CHECK_MS = 5_000;

/**
 * Ends the process when the thread that runs workflows has been stuck for `limitMs`: the runs that it holds go on
 * elsewhere, and the one that blocks it is shown by the server as a workflow task that fails. Waits for a first sign
 * of life, so a worker without the preloaded workflow-thread.ts is left alone. A machine that slept is not a stuck
 * thread: only time that this thread lived through counts. Gives the function that ends it.
 */
export function watchWorkflowThread(limitMs: number, stuck: () => void, checkMs = CHECK_MS): () => void {
  const channel = new BroadcastChannel(WORKFLOW_THREAD);
  let silentFor: number | undefined;
  channel.addEventListener('message', () => (silentFor = 0));
  channel.unref();
  const timer = setInterval(() => {
    if (silentFor === undefined) return;
    silentFor += checkMs;
    if (silentFor >= limitMs) stuck();
  }, checkMs);
  timer.unref();
  return () => {
    clearInterval(timer);
    channel.close();
  };
}
