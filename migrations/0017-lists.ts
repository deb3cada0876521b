import type { MigrationInterface, QueryRunner } from 'typeorm';
import { runSqlFile } from './sql-file';

export class Lists1764288000017 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0017-lists.sql');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0017-lists.down.sql');
  }
}
