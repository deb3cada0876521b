import type { MigrationInterface, QueryRunner } from 'typeorm';
import { runSqlFile } from './sql-file';

export class ConnectorWalls1764288000031 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0031-common-limits.sql');
    await runSqlFile(runner, '0031-secret-places.sql');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0031-connector-walls.down.sql');
  }
}
