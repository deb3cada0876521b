import { connect, type Socket } from 'node:net';
import { exceedsJsonSize } from '../../core/base/json-size';
import { readLines } from './lines';
import type { RunStart } from './run-start';

/** Answer of the worker to a start; `failed`: the caller may try another way. */
export type StartAnswer = 'started' | 'already_started' | 'failed';
const START_ANSWERS: readonly StartAnswer[] = ['started', 'already_started', 'failed'];

/** Characters of one start; a larger one would keep the worker from its other work. */
export const LONGEST_START = 262_144;
const LONGEST_ANSWER = 1_000;
/** The worker answers in milliseconds, or is busy with something else. */
const ANSWER_MS = 2_000;
/** Time without the worker after it was not there. */
const PAUSE_MS = 1_000;

type Told = (answer: StartAnswer) => void;

/**
 * Hands starts of runs to a worker on this machine, over a Unix socket. The worker gives them to Temporal on its own
 * connection, so that the first workflow task comes with the answer. It is never the only way: after `failed` the API
 * starts the run itself, and the server refuses a second start.
 */
export class WorkerStarts {
  private socket: Socket | undefined;
  private readonly open = new Map<number, Told>();
  private last = 0;
  private pausedUntil = 0;
  private closed = false;

  constructor(
    private readonly path: string,
    private readonly answerMs = ANSWER_MS,
  ) {}

  async start(start: RunStart): Promise<StartAnswer> {
    if (this.closed || Date.now() < this.pausedUntil) return 'failed';
    // Inputs are what can be large; no text is made of them to find that out.
    if (exceedsJsonSize(start.input.inputs, LONGEST_START)) return 'failed';
    const id = (this.last += 1);
    const line = JSON.stringify({ id, start });
    if (line.length > LONGEST_START) return 'failed';
    const socket = (this.socket ??= this.connected());
    return new Promise((resolve) => {
      // A worker that does not answer would hold up each start.
      const timer = setTimeout(() => this.lost(socket), this.answerMs);
      this.open.set(id, (answer) => {
        clearTimeout(timer);
        this.open.delete(id);
        resolve(answer);
      });
      socket.write(`${line}\n`);
    });
  }

  close(): void {
    this.closed = true;
    if (this.socket) this.lost(this.socket);
  }

  private connected(): Socket {
    const socket = connect(this.path);
    socket.unref();
    readLines(socket, LONGEST_ANSWER, (line) => {
      const { id, answer } = JSON.parse(line) as { id: number; answer: StartAnswer };
      if (!START_ANSWERS.includes(answer)) throw new Error('not an answer');
      this.open.get(id)?.(answer);
    });
    socket.on('error', () => this.lost(socket));
    socket.on('close', () => this.lost(socket));
    return socket;
  }

  /** Starts that were under way may have reached the server. */
  private lost(socket: Socket): void {
    if (this.socket !== socket) return;
    this.socket = undefined;
    this.pausedUntil = Date.now() + PAUSE_MS;
    socket.destroy();
    for (const told of this.open.values()) told('failed');
  }
}
