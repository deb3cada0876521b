import type { MigrationInterface, QueryRunner } from 'typeorm';
import { runSqlFile } from './sql-file';

export class Accounts1764288000024 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0024-accounts.sql');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0024-accounts.down.sql');
  }
}
