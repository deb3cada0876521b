import type { MigrationInterface, QueryRunner } from 'typeorm';
import { runSqlFile } from './sql-file';

export class Streams1764288000022 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0022-streams.sql');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0022-streams.down.sql');
  }
}
