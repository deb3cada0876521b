import type { MigrationInterface, QueryRunner } from 'typeorm';
import { runSqlFile } from './sql-file';

export class Roles1764288000011 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0011-roles.sql');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0011-roles.down.sql');
  }
}
