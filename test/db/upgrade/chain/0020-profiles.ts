import type { MigrationInterface, QueryRunner } from 'typeorm';
import { runSqlFile } from './sql-file';

export class Profiles1764288000020 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0020-profiles.sql');
    await runSqlFile(runner, '0020-sharing.sql');
    await runSqlFile(runner, '0020-team-runs.sql');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0020-profiles.down.sql');
  }
}
