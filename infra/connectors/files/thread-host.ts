import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Piscina } from 'piscina';
import type { FileJob, FileParserHost } from '../types';
import { FileFault } from './file-fault';
import { inlineHost } from './inline-host';
import type { ThreadAnswer } from './parse-thread';
import type { ParsedFile } from './parsed-file';

export interface ThreadHostOptions {
  /** Built entry point of the threads; from sources there is none, and files are parsed in the caller's thread. */
  entry?: string;
  threads?: number;
  /** For one file. */
  limitMs?: number;
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
  const pool = new Piscina({
    filename: entry,
    name: 'parseInThread',
    minThreads: 0,
    maxThreads: options.threads ?? 2,
    idleTimeout: 30_000,
    resourceLimits: { maxOldGenerationSizeMb: options.memoryMb ?? 1024 },
  });
  return {
    parse: (job, signal) => parse(pool, job, { signal, limitMs: options.limitMs ?? 60_000 }),
    close: () => pool.destroy(),
  };
}

async function parse(pool: Piscina, job: FileJob, use: { signal: AbortSignal; limitMs: number }): Promise<ParsedFile> {
  const limit = AbortSignal.timeout(use.limitMs);
  let answer: ThreadAnswer;
  try {
    answer = (await pool.run(
      { endpoint: job.endpoint, bytes: job.bytes },
      { signal: AbortSignal.any([use.signal, limit]) },
    )) as ThreadAnswer;
  } catch (error) {
    use.signal.throwIfAborted();
    if (limit.aborted) {
      throw new FileFault(
        'parse_timeout',
        `The file took longer than ${use.limitMs / 1000} s to read. Split it, or use simpler paths.`,
      );
    }
    if ((error as { code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY') {
      throw new FileFault('file_too_complex', 'The file does not fit into memory. Split it into smaller files.');
    }
    throw error;
  }
  if (answer.ok) {
    return answer.parsed;
  }
  throw new FileFault(answer.code, answer.message, answer.place);
}
