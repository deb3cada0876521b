import type { MigrationInterface, QueryRunner } from 'typeorm';
import { runSqlFile } from './sql-file';

export class EventOrder1764288000027 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0027-event-order.sql');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0027-event-order.down.sql');
  }
}
