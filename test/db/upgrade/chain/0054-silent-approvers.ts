import type { MigrationInterface, QueryRunner } from 'typeorm';
import { runSqlFile } from './sql-file';

export class SilentApprovers1764288000054 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0054-silent-approvers.sql');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0054-silent-approvers.down.sql');
  }
}
