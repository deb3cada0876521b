import { Inject, Injectable } from '@nestjs/common';
import { DatabaseProbe } from '../../infra/db/probe';
import { SchemaWatch } from '../../infra/db/schema-watch';
import type { RunGateway } from '../app/ports';
import { GATEWAY } from '../app/tokens';
import { answerWithin } from '../shared/with-timeout';
import type { CheckDto, ReadyDto } from './health.dto';

/** A probe that takes longer has failed, so that the whole answer comes within two seconds. */
const PROBE_MS = 1_500;
/** Time limit for a database that has just answered. */
const SCHEMA_MS = 400;

@Injectable()
export class HealthService {
  constructor(
    private readonly database: DatabaseProbe,
    private readonly schema: SchemaWatch,
    @Inject(GATEWAY) private readonly gateway: RunGateway,
  ) {}

  async ready(): Promise<ReadyDto> {
    const [database, temporal] = await Promise.all([this.askDatabase(), this.askTemporal()]);
    const status = database.status === 'down' ? 'unavailable' : temporal.status === 'down' ? 'degraded' : 'ready';
    return { status, checks: { database, temporal } };
  }

  private async askDatabase(): Promise<CheckDto> {
    if (!(await answerWithin(this.database.answers(PROBE_MS), PROBE_MS, false))) {
      return down('database_unavailable', 'The database does not answer.');
    }
    const newer = await answerWithin(this.schema.look(), SCHEMA_MS, undefined);
    return newer === undefined ? { status: 'ok' } : down(newer.code, newer.message);
  }

  private async askTemporal(): Promise<CheckDto> {
    return (await answerWithin(this.gateway.ready(), PROBE_MS, false))
      ? { status: 'ok' }
      : down('temporal_unavailable', 'Temporal does not answer: runs are accepted and start later.');
  }
}

function down(code: string, detail: string): CheckDto {
  return { status: 'down', code, detail };
}
