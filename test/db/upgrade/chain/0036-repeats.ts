import type { MigrationInterface, QueryRunner } from 'typeorm';
import { runSqlFile } from './sql-file';

export class Repeats1764288000036 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0036-repeats.sql');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0036-repeats.down.sql');
  }
}
