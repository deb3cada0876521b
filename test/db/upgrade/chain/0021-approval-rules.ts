import type { MigrationInterface, QueryRunner } from 'typeorm';
import { runSqlFile } from './sql-file';

export class ApprovalRules1764288000021 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0021-approval-rules.sql');
    await runSqlFile(runner, '0021-approval-decisions.sql');
    await runSqlFile(runner, '0021-approval-acts.sql');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0021-approval-rules.down.sql');
  }
}
