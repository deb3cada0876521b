import { Inject, Injectable } from '@nestjs/common';
import { Readable } from 'node:stream';
import { ownField, type JsonObject } from '../../core/base/json';
import type { StoredValue } from '../../core/engine/values';
import { AppError } from '../../core/errors/app-error';
import type { BlobStore } from '../../infra/blob/blob-store';
import { RunsStore } from '../../infra/db/stores/runs.store';
import { BLOBS } from '../app/tokens';
import type { CallerInfo } from '../http/caller';
import { storedJson } from './stored-json';

/** Results of a run, however large. */
@Injectable()
export class RunOutputsService {
  constructor(
    private readonly runs: RunsStore,
    @Inject(BLOBS) private readonly blobs: BlobStore,
  ) {}

  /** One result as a stream of JSON. Throws `run_not_found`, `output_not_found`. */
  async json(caller: CallerInfo, runId: string, key: string): Promise<Readable> {
    const { result, status } = await this.runs.require(caller.ownerId, runId);
    const stored = ownField((result ?? {}) as unknown as JsonObject, key) as unknown as StoredValue | undefined;
    if (stored === undefined) throw notThere(key, status, Object.keys(result ?? {}));
    const chunks = storedJson(stored, (part) => this.blobs.get(caller.ownerId, part.sha256));
    // What cannot be loaded at all is said with words: once a stream has begun, it can only break off.
    const first = await chunks.next();
    return Readable.from(after(first, chunks), { objectMode: false });
  }
}

async function* after(first: IteratorResult<Buffer>, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  if (first.done !== true) yield first.value;
  yield* rest;
}

function notThere(key: string, status: string, keys: string[]): AppError {
  const what =
    keys.length === 0
      ? `The run is ${status} and has no outputs; they are there once it has ended.`
      : `It has: ${keys.slice(0, 50).join(', ')}.`;
  return new AppError('output_not_found', `The run has no output "${key.slice(0, 100)}". ${what}`, {
    category: 'not_found',
  });
}
