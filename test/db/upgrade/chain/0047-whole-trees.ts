import type { MigrationInterface, QueryRunner } from 'typeorm';
import { runSqlFile } from './sql-file';

export class WholeTrees1764288000047 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0047-whole-trees.sql');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0047-whole-trees.down.sql');
  }
}
