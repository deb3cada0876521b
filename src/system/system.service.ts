import { Inject, Injectable } from '@nestjs/common';
import { HISTORY_SCOPE, type BlobStore } from '../../infra/blob/blob-store';
import { SystemStore } from '../../infra/db/stores/system.store';
import { productVersion } from '../../infra/embedded/product-version';
import type { QueueReport } from '../../infra/temporal/queue-report';
import type { RunGateway } from '../app/ports';
import { BLOBS, GATEWAY } from '../app/tokens';
import { withoutNulls } from '../shared/views';
import { answerWithin } from '../shared/with-timeout';
import type { QueueDto, StoreHealthDto, SystemDto, TemporalHealthDto } from './dto/system.dto';

/** Time after which a part that does not answer is shown as down. */
const ANSWER_MS = 3_000;
/** Address without content: reading it still reaches the store. */
const NOTHING = '0'.repeat(64);

/** State of the installation's parts. A part that is down is reported, it never fails the answer. */
@Injectable()
export class SystemService {
  constructor(
    private readonly store: SystemStore,
    @Inject(BLOBS) private readonly blobs: BlobStore,
    @Inject(GATEWAY) private readonly gateway: RunGateway,
  ) {}

  async get(): Promise<SystemDto> {
    const [temporal, database, blobs] = await Promise.all([this.temporal(), this.database(), this.content()]);
    return { version: productVersion(), node: process.versions.node, temporal, stores: { database, blobs } };
  }

  private async temporal(): Promise<TemporalHealthDto> {
    const report = await answerWithin(this.gateway.report(), ANSWER_MS, undefined);
    if (report === undefined) return { status: 'down', queues: [] };
    const { server_version: version, namespace, queues } = report;
    return { status: 'ok', version, namespace, queues: queues.map(queueOf) };
  }

  private async database(): Promise<StoreHealthDto> {
    const facts = await answerWithin(this.store.facts(), ANSWER_MS, undefined);
    return facts === undefined
      ? { status: 'down' }
      : { status: 'ok', version: facts.server_version, migration: facts.migration };
  }

  private async content(): Promise<StoreHealthDto> {
    const answer = await answerWithin(this.blobs.has(HISTORY_SCOPE, NOTHING), ANSWER_MS, undefined);
    return { status: answer === undefined ? 'down' : 'ok' };
  }
}

function queueOf({ name, kind, pollers, backlog }: QueueReport): QueueDto {
  return {
    name,
    kind,
    pollers: pollers.map(({ identity, last_access_at }) => ({ identity, ...withoutNulls({ last_access_at }) })),
    ...withoutNulls({ backlog }),
  };
}
