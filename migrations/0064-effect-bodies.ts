import type { MigrationInterface, QueryRunner } from 'typeorm';
import { runSqlFile } from './sql-file';

export class EffectBodies1764288000064 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0064-effect-bodies.sql');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0064-effect-bodies.down.sql');
  }
}
