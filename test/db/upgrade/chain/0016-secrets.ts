import type { MigrationInterface, QueryRunner } from 'typeorm';
import { runSqlFile } from './sql-file';

export class Secrets1764288000016 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0016-secrets.sql');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0016-secrets.down.sql');
  }
}
