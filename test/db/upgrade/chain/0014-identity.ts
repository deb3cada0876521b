import type { MigrationInterface, QueryRunner } from 'typeorm';
import { runSqlFile } from './sql-file';

export class Identity1764288000014 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0014-identity.sql');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0014-identity.down.sql');
  }
}
