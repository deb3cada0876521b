import type { MigrationInterface, QueryRunner } from 'typeorm';
import { runSqlFile } from './sql-file';

export class AnsweredEffects1764288000063 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0063-answered-effects.sql');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0063-answered-effects.down.sql');
  }
}
