import type { MigrationInterface, QueryRunner } from 'typeorm';
import { runSqlFile } from './sql-file';

export class ConnectorRuntime1764288000025 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0025-connector-runtime.sql');
    await runSqlFile(runner, '0025-connector-calls.sql');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0025-connector-runtime.down.sql');
  }
}
