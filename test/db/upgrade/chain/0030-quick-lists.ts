import type { MigrationInterface, QueryRunner } from 'typeorm';
import { runSqlFile } from './sql-file';

export class QuickLists1764288000030 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0030-quick-lists.sql');
    await runSqlFile(runner, '0030-refused-credentials.sql');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0030-quick-lists.down.sql');
  }
}
