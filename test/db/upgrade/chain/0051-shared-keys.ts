import type { MigrationInterface, QueryRunner } from 'typeorm';
import { runSqlFile } from './sql-file';

export class SharedKeys1764288000051 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0051-shared-keys.sql');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0051-shared-keys.down.sql');
  }
}
