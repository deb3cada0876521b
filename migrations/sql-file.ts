import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { QueryRunner } from 'typeorm';

/** Runs a file of this folder as one script. A schema change may take longer than the pool lets a statement run. */
export async function runSqlFile(runner: QueryRunner, file: string): Promise<void> {
  await runner.query('set local statement_timeout = 0');
  await runner.query(readFileSync(join(__dirname, file), 'utf8'));
}
