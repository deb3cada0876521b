import type { MigrationInterface, QueryRunner } from 'typeorm';
import { runSqlFile } from './sql-file';

export class RowSecurity1764288000012 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0012-row-security.sql');
    await runSqlFile(runner, '0012-owned-calls.sql');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0012-row-security.down.sql');
  }
}
