import { Inject, Injectable } from '@nestjs/common';
import { Database } from '../../infra/db/database';
import type { RunGateway } from '../app/ports';
import { GATEWAY } from '../app/tokens';
import type { CheckDto, ReadyDto } from './health.dto';

/** A probe that takes longer has failed, so that the whole answer comes within two seconds. */
const PROBE_MS = 1_500;

@Injectable()
export class HealthService {
  constructor(
    private readonly database: Database,
    @Inject(GATEWAY) private readonly gateway: RunGateway,
  ) {}

  async ready(): Promise<ReadyDto> {
    const [database, temporal] = await Promise.all([
      probe(
        this.database.ready().then(() => true),
        'The database does not answer.',
      ),
      probe(this.gateway.ready(), 'Temporal does not answer: runs are accepted and start later.'),
    ]);
    const status = database.status === 'down' ? 'unavailable' : temporal.status === 'down' ? 'degraded' : 'ready';
    return { status, checks: { database, temporal } };
  }
}

async function probe(answer: Promise<boolean>, detail: string): Promise<CheckDto> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), PROBE_MS);
  });
  const ok = await Promise.race([answer.catch(() => false), late]).finally(() => clearTimeout(timer));
  return ok ? { status: 'ok' } : { status: 'down', detail };
}
