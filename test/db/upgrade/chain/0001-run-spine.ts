import type { MigrationInterface, QueryRunner } from 'typeorm';
import { runSqlFile } from './sql-file';

export class RunSpine1764288000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0001-run-spine.sql');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0001-run-spine.down.sql');
  }
}
