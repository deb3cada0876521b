import type { MigrationInterface, QueryRunner } from 'typeorm';
import { runSqlFile } from './sql-file';

export class HonestWaits1764288000032 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0032-honest-waits.sql');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0032-honest-waits.down.sql');
  }
}
