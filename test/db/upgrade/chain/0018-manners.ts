import type { MigrationInterface, QueryRunner } from 'typeorm';
import { runSqlFile } from './sql-file';

export class Manners1764288000018 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0018-manners.sql');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0018-manners.down.sql');
  }
}
