import type { MigrationInterface, QueryRunner } from 'typeorm';
import { runSqlFile } from './sql-file';

export class AccessTokens1764288000028 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0028-access-tokens.sql');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0028-access-tokens.down.sql');
  }
}
