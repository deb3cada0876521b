import type { MigrationInterface, QueryRunner } from 'typeorm';
import { runSqlFile } from './sql-file';

export class Failures1764288000041 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0041-failures.sql');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0041-failures.down.sql');
  }
}
