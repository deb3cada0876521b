import type { MigrationInterface, QueryRunner } from 'typeorm';
import { runSqlFile } from './sql-file';

export class TrueTotals1764288000048 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0048-true-totals.sql');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0048-true-totals.down.sql');
  }
}
