import type { MigrationInterface, QueryRunner } from 'typeorm';
import { runSqlFile } from './sql-file';

export class Transitions1764288000003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0003-transitions.sql');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0003-transitions.down.sql');
  }
}
