import type { MigrationInterface, QueryRunner } from 'typeorm';
import { runSqlFile } from './sql-file';

/** The tables as the migrations up to 0035 had made them. */
export class Baseline1764288000035 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0035-baseline.sql');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0035-baseline.down.sql');
  }
}
