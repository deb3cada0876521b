import type { MigrationInterface, QueryRunner } from 'typeorm';
import { runSqlFile } from './sql-file';

export class SecondThoughts1764288000053 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0053-second-thoughts.sql');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0053-second-thoughts.down.sql');
  }
}
