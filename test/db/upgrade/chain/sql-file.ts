import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { QueryRunner } from 'typeorm';

/**
 * Runs a file of this folder as one script. A schema change may take longer than the pool lets a statement run. A file may
 * begin with `set local role af_migrate`; what is noted down after it is the connection's own.
 */
export async function runSqlFile(runner: QueryRunner, file: string): Promise<void> {
  await runner.query('set local statement_timeout = 0');
  await runner.query(readFileSync(join(__dirname, file), 'utf8'));
  await runner.query('set local role none');
}
