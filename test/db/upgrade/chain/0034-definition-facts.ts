import type { MigrationInterface, QueryRunner } from 'typeorm';
import { runSqlFile } from './sql-file';

export class DefinitionFacts1764288000034 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0034-definition-facts.sql');
    await runSqlFile(runner, '0034-allowed-acts.sql');
    await runSqlFile(runner, '0034-profile-journal.sql');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runSqlFile(runner, '0034-definition-facts.down.sql');
  }
}
