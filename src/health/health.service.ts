import { Inject, Injectable } from '@nestjs/common';
import { DatabaseProbe } from '../../infra/db/probe';
import type { RunGateway } from '../app/ports';
import { GATEWAY } from '../app/tokens';
import { within } from '../shared/within';
import type { CheckDto, ReadyDto } from './health.dto';

/** A probe that takes longer has failed, so that the whole answer comes within two seconds. */
const PROBE_MS = 1_500;

@Injectable()
export class HealthService {
  constructor(
    private readonly database: DatabaseProbe,
    @Inject(GATEWAY) private readonly gateway: RunGateway,
  ) {}

  async ready(): Promise<ReadyDto> {
    const [database, temporal] = await Promise.all([
      probe(this.database.answers(PROBE_MS), 'The database does not answer.'),
      probe(this.gateway.ready(), 'Temporal does not answer: runs are accepted and start later.'),
    ]);
    const status = database.status === 'down' ? 'unavailable' : temporal.status === 'down' ? 'degraded' : 'ready';
    return { status, checks: { database, temporal } };
  }
}

async function probe(answer: Promise<boolean>, detail: string): Promise<CheckDto> {
  const ok = await within(
    answer.catch(() => false),
    PROBE_MS,
    false,
  );
  return ok ? { status: 'ok' } : { status: 'down', detail };
}
