import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Piscina } from 'piscina';
import { JoinedSignal } from '../../../infra/joined-signal';
import type { FileParserHost } from './file-parser-host';
import { FileFault } from '../file-fault';
import { inlineHost } from './inline-host';
import type { ThreadAnswer } from './parse-thread';
import { limitFromStart } from './thread-start';
import { Semaphore } from '../../../infra/semaphore';

export interface ThreadHostOptions {
  /** Built entry point of the threads; from sources there is none, and files are parsed in the caller's thread. */
  entry?: string;
  threads?: number;
  /** Time limit of one file. */
  limitMs?: number;
  /** Time limit of one page or feed. */
  pageLimitMs?: number;
  /** Heap of one thread. */
  memoryMb?: number;
}

/**
 * Parses files in threads: a large file neither holds up heartbeats nor takes the process with it when its tree
 * does not fit into memory. A file that takes too long or too much is refused; its thread is thrown away.
 */
export function createFileParserHost(options: ThreadHostOptions = {}): FileParserHost {
  const entry = options.entry ?? join(__dirname, 'parse-thread.js');
  if (!existsSync(entry)) {
    return inlineHost;
  }
  const threads = options.threads ?? 2;
  const pool = new Piscina({
    filename: entry,
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: 30_000,
    resourceLimits: { maxOldGenerationSizeMb: options.memoryMb ?? 1024 },
  });
  const host = new ThreadHost(pool, new Semaphore(threads));
  const limitMs = options.limitMs ?? 60_000;
  const pageLimitMs = options.pageLimitMs ?? 15_000;
  return {
    parse: (job, signal) => host.run(job, { name: 'parseInThread', what: 'file', limitMs, signal }),
    page: (job, signal) => host.run(job, { name: 'pageInThread', what: 'page', limitMs: pageLimitMs, signal }),
    feed: (job, signal) => host.run(job, { name: 'feedInThread', what: 'feed', limitMs: pageLimitMs, signal }),
    close: () => pool.destroy(),
  };
}

interface Run {
  name: 'parseInThread' | 'pageInThread' | 'feedInThread';
  what: string;
  limitMs: number;
  signal: AbortSignal;
}

class ThreadHost {
  constructor(
    private readonly pool: Piscina,
    private readonly semaphore: Semaphore,
  ) {}

  /** The time limit begins when a thread begins with the file: neither the file before nor the start of the thread counts. */
  async run<Parsed>(job: object, use: Run): Promise<Parsed> {
    const answer = await this.semaphore.pass(() => this.answer<Parsed>(job, use), use.signal);
    if (answer.ok) {
      return answer.parsed;
    }
    throw new FileFault(answer.code, answer.message, answer.place);
  }

  private async answer<Parsed>(job: object, use: Run): Promise<ThreadAnswer<Parsed>> {
    const limit = limitFromStart(use.limitMs);
    const joined = new JoinedSignal(use.signal, limit.signal);
    try {
      const { port } = limit;
      const begun = { name: use.name, signal: joined.signal, transferList: [port] };
      return (await this.pool.run({ job, port }, begun)) as ThreadAnswer<Parsed>;
    } catch (error) {
      use.signal.throwIfAborted();
      if (limit.signal.aborted) {
        throw new FileFault(
          'parse_timeout',
          `The ${use.what} took longer than ${use.limitMs / 1000} s to read. Use simpler paths or selectors, or split it.`,
        );
      }
      if ((error as { code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY') {
        throw new FileFault(
          'file_too_complex',
          `The ${use.what} does not fit into memory. Split it into smaller ones.`,
        );
      }
      throw error;
    } finally {
      limit.stop();
      joined.release();
    }
  }
}
