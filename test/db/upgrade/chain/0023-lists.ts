import type { MigrationInterface, QueryRunner } from 'typeorm';
import { runSqlFile } from './sql-file';

export class Lists1764288000023 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0023-lists.sql');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0023-lists.down.sql');
  }
}
