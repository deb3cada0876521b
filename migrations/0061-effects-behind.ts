import type { MigrationInterface, QueryRunner } from 'typeorm';
import { runSqlFile } from './sql-file';

export class EffectsBehind1764288000061 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0061-effects-behind.sql');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0061-effects-behind.down.sql');
  }
}
