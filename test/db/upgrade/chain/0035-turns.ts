import type { MigrationInterface, QueryRunner } from 'typeorm';
import { runSqlFile } from './sql-file';

export class Turns1764288000035 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0035-turns.sql');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0035-turns.down.sql');
  }
}
