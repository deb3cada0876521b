import { MessageChannel, type MessagePort } from 'node:worker_threads';

export interface StartLimit {
  /** Port on which the thread reports that it begins. */
  port: MessagePort;
  /** Aborts so long after the start, never before. */
  signal: AbortSignal;
  stop: () => void;
}

/**
 * The time limit of a job begins when its thread has started and loaded its parser. On a busy machine both take longer
 * than many a file, and that time must not count for the file.
 */
export function limitFromStart(limitMs: number): StartLimit {
  const limit = new AbortController();
  const { port1, port2 } = new MessageChannel();
  let timer: NodeJS.Timeout | undefined;
  port1.once('message', () => (timer = setTimeout(() => limit.abort(), limitMs)));
  const stop = (): void => {
    port1.close();
    clearTimeout(timer);
  };
  return { port: port2, signal: limit.signal, stop };
}

export function signalStarted(port: MessagePort): void {
  port.postMessage('started');
  port.close();
}
