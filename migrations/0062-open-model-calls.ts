import type { MigrationInterface, QueryRunner } from 'typeorm';
import { runSqlFile } from './sql-file';

export class OpenModelCalls1764288000062 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0062-open-model-calls.sql');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0062-open-model-calls.down.sql');
  }
}
