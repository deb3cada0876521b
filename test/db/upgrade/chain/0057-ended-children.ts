import type { MigrationInterface, QueryRunner } from 'typeorm';
import { runSqlFile } from './sql-file';

export class EndedChildren1764288000057 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0057-ended-children.sql');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0057-ended-children.down.sql');
  }
}
