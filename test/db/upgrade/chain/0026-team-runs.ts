import type { MigrationInterface, QueryRunner } from 'typeorm';
import { runSqlFile } from './sql-file';

export class TeamRuns1764288000026 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0026-bound-connectors.sql');
    await runSqlFile(runner, '0026-team-runs.sql');
    await runSqlFile(runner, '0026-accounts.sql');
    await runSqlFile(runner, '0026-deciding-keys.sql');
    await runSqlFile(runner, '0026-team-events.sql');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0026-team-runs.down.sql');
  }
}
