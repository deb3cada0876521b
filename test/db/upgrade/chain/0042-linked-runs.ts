import type { MigrationInterface, QueryRunner } from 'typeorm';
import { runSqlFile } from './sql-file';

export class LinkedRuns1764288000042 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0042-linked-runs.sql');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0042-linked-runs.down.sql');
  }
}
