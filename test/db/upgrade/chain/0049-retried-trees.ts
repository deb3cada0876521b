import type { MigrationInterface, QueryRunner } from 'typeorm';
import { runSqlFile } from './sql-file';

export class RetriedTrees1764288000049 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0049-retried-trees.sql');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0049-retried-trees.down.sql');
  }
}
