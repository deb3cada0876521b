import type { MigrationInterface, QueryRunner } from 'typeorm';
import { runSqlFile } from './sql-file';

export class WholePreviews1764288000055 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0055-whole-previews.sql');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0055-whole-previews.down.sql');
  }
}
