import type { Client } from 'pg';
import { AppError } from '../../core/errors/app-error';
import { Baseline1764288000035 } from '../../migrations/0035-baseline';
import { BEFORE_BASELINE, OF_FUNCTIONS } from '../../migrations/superseded';

const LAST_BEFORE = BEFORE_BASELINE.at(-1);

/**
 * A database that went up by the migrations before the baseline has the baseline's tables: it is noted down so. Returns the names
 * of what has been applied; none where there is no schema yet.
 * @throws AppError `schema_too_old` where it stopped on the way
 */
export async function adoptBaseline(client: Client): Promise<string[]> {
  const applied = await appliedIn(client);
  if (applied.includes(Baseline1764288000035.name) || !applied.some((name) => BEFORE_BASELINE.includes(name)))
    return applied;
  const missing = BEFORE_BASELINE.filter((name) => !applied.includes(name));
  if (missing.length > 0) throw tooOld(missing);
  await client.query('begin');
  await client.query('update public.migrations set name = $2 where name = $1', [
    LAST_BEFORE,
    Baseline1764288000035.name,
  ]);
  await client.query('delete from public.migrations where name = any($1)', [[...BEFORE_BASELINE, ...OF_FUNCTIONS]]);
  await client.query('commit');
  return appliedIn(client);
}

/** Applied migrations; none in a new database. */
async function appliedIn(client: Client): Promise<string[]> {
  const { rows: tables } = await client.query<{ there: boolean }>(
    `select to_regclass('public.migrations') is not null as there`,
  );
  if (tables[0]?.there !== true) return [];
  const { rows } = await client.query<{ name: string }>('select name from public.migrations order by id');
  return rows.map(({ name }) => name);
}

function tooOld(missing: readonly string[]): AppError {
  return new AppError(
    'schema_too_old',
    `The database has the schema of an unfinished early version (schema_too_old): it lacks ${missing.join(', ')}. Start the last version that has these migrations first, then this one.`,
    { category: 'conflict', details: { missing: [...missing] } },
  );
}
