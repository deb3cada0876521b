import type { MigrationInterface, QueryRunner } from 'typeorm';
import { runSqlFile } from './sql-file';

export class SchemaState1764288000060 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0060-schema-state.sql');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0060-schema-state.down.sql');
  }
}
