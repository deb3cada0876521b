import type { MigrationInterface, QueryRunner } from 'typeorm';
import { runSqlFile } from './sql-file';

export class Receipt1764288000037 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0037-receipt.sql');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0037-receipt.down.sql');
  }
}
