import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Piscina } from 'piscina';
import { AppError } from '../../core/errors/app-error';
import { filesOf, makeConnector } from './import-work';
import type { ImportJob, ImportOutcome } from './import-work';

/** Host that reads documents: a large one takes seconds, in which a server has others to answer. */
export interface ImportHost {
  filesOf(text: string, signal: AbortSignal): Promise<ReturnType<typeof filesOf>>;
  makeConnector(job: ImportJob, signal: AbortSignal): Promise<ImportOutcome>;
  close(): Promise<void>;
}

/** Starts threads in a built product; from sources it works in the caller's own thread. */
export function createImportHost(entry = join(__dirname, 'import-thread.js')): ImportHost {
  return existsSync(entry) ? threads(entry) : INLINE;
}

const INLINE: ImportHost = {
  filesOf: (text) => Promise.resolve(filesOf(text)),
  makeConnector: (job) => Promise.resolve(makeConnector(job)),
  close: () => Promise.resolve(),
};

function threads(filename: string): ImportHost {
  const pool = new Piscina({
    filename,
    minThreads: 0,
    maxThreads: 1,
    maxQueue: 20,
    idleTimeout: 10_000,
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  });
  // A thread that is given up may have sent its answer already; nobody waits for it, and unheard it would end the process.
  pool.on('error', () => undefined);
  return {
    filesOf: (text, signal) => run(pool, 'filesOf', { task: text, signal }),
    makeConnector: (job, signal) => run(pool, 'makeConnector', { task: job, signal }),
    close: () => pool.destroy(),
  };
}

async function run<Result>(pool: Piscina, name: string, use: { task: unknown; signal: AbortSignal }): Promise<Result> {
  try {
    return (await pool.run(use.task, { name, signal: use.signal })) as Result;
  } catch (error) {
    use.signal.throwIfAborted();
    const message = error instanceof Error ? error.message : '';
    if ((error as { code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY') {
      throw new AppError('document_too_complex', 'The document does not fit into memory. Give a part of it.', {
        category: 'validation',
      });
    }
    if (message === 'Task queue is at limit') {
      throw new AppError('too_many_imports', 'Many documents are being imported; try again soon.', {
        category: 'rate_limited',
        retryable: true,
        details: { retry_after: 5 },
      });
    }
    throw error;
  }
}
