import type { MigrationInterface, QueryRunner } from 'typeorm';
import { runSqlFile } from './sql-file';

export class HeardDecisions1764288000052 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0052-heard-decisions.sql');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0052-heard-decisions.down.sql');
  }
}
