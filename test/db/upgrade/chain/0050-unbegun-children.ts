import type { MigrationInterface, QueryRunner } from 'typeorm';
import { runSqlFile } from './sql-file';

export class UnbegunChildren1764288000050 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0050-unbegun-children.sql');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0050-unbegun-children.down.sql');
  }
}
