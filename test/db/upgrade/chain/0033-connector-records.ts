import type { MigrationInterface, QueryRunner } from 'typeorm';
import { runSqlFile } from './sql-file';

export class ConnectorRecords1764288000033 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0033-connector-records.sql');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0033-connector-records.down.sql');
  }
}
