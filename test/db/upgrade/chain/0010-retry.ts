import type { MigrationInterface, QueryRunner } from 'typeorm';
import { runSqlFile } from './sql-file';

export class Retry1764288000010 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0010-retry.sql');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0010-retry.down.sql');
  }
}
