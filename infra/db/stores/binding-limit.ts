import { AppError } from '../../../core/errors/app-error';
import type { Sql } from '../database';

/** Limit of connectors, and of skills, of a profile: their lists are never paged. */
const MOST_BINDINGS = 100;

/** Throws `too_many_bindings`. */
export async function refuseMore(
  sql: Sql,
  table: 'profile_connectors' | 'profile_skills',
  profileId: string,
): Promise<void> {
  const [last] = await sql.query(`select 1 from ${table} where profile_id = $1 offset $2 limit 1`, [
    profileId,
    MOST_BINDINGS - 1,
  ]);
  if (last !== undefined) {
    throw new AppError(
      'too_many_bindings',
      `A profile has at most ${MOST_BINDINGS} connectors and ${MOST_BINDINGS} skills. Take one away first.`,
      { category: 'conflict' },
    );
  }
}
