import type { MigrationInterface, QueryRunner } from 'typeorm';
import { runSqlFile } from './sql-file';

export class HotPath1764288000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0002-hot-path.sql');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0002-hot-path.down.sql');
  }
}
