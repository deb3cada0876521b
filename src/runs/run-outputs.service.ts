import { Inject, Injectable } from '@nestjs/common';
import type { Readable } from 'node:stream';
import { shorten } from '../../core/base/shorten';
import { suggestionOr } from '../../core/base/did-you-mean';
import { ownField, type JsonObject } from '../../core/base/json';
import type { StoredValue } from '../../core/engine/values';
import { AppError } from '../../core/errors/app-error';
import { blobNotFound, type BlobStore } from '../../infra/blob/blob-store';
import { RunsStore } from '../../infra/db/stores/runs.store';
import { BLOBS } from '../app/tokens';
import type { CallerInfo } from '../http/caller';
import { startedStream } from '../shared/started-stream';
import { partsOf, storedJson } from './stored-json';

/** Results of a run, however large. */
@Injectable()
export class RunOutputsService {
  constructor(
    private readonly runs: RunsStore,
    @Inject(BLOBS) private readonly blobs: BlobStore,
  ) {}

  /** One result as a stream of JSON. Throws `run_not_found`, `output_not_found`; 410 `blob_not_found`, `blob_damaged`. */
  async json(caller: CallerInfo, runId: string, key: string): Promise<Readable> {
    const { result, status } = await this.runs.require(caller.ownerId, runId);
    const stored = ownField((result ?? {}) as unknown as JsonObject, key) as unknown as StoredValue | undefined;
    if (stored === undefined) throw notThere(key, status, Object.keys(result ?? {}));
    await this.requireAll(caller, stored);
    return startedStream(storedJson(stored, (part) => this.blobs.get(caller.ownerId, part.sha256)));
  }

  /** Checks for missing content before the answer begins: afterwards it could only break off. */
  private async requireAll({ ownerId }: CallerInfo, stored: StoredValue): Promise<void> {
    for (const { sha256 } of partsOf(stored).slice(1)) {
      if (!(await this.blobs.has(ownerId, sha256))) throw blobNotFound(sha256);
    }
  }
}

function notThere(key: string, status: string, keys: string[]): AppError {
  const what =
    keys.length === 0
      ? `The run is ${status} and has no outputs; they are there once it has ended.`
      : suggestionOr(key, keys, `It has: ${keys.slice(0, 50).join(', ')}.`);
  return new AppError('output_not_found', `The run has no output "${shorten(key, 100)}". ${what}`, {
    category: 'not_found',
  });
}
