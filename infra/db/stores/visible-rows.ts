import type { PageClauses } from './page';

/** A list of runs or of journal entries by creation. All parts are constants that go into SQL text; `$1` is who asks. */
export interface VisibleRows {
  from: 'runs' | 'journal_entries';
  columns: string;
  /** Filters, and the rows behind the cursor. */
  where: string;
  order: string;
  limit: string;
  /**
   * Clauses for own rows, and for rows that others made with one's profiles, if these have an index that the rest
   * lacks.
   */
  own?: PageClauses;
  ofProfiles?: PageClauses;
}

/**
 * Rows that a person sees: their own, those of teams that run their profiles, and of their teams what their shares
 * show. Each branch is read by an index in the order of the list, as far as one page needs, and then merged (a row of
 * two branches counts once: to leave it out of one would read past all such rows); row-level security
 * (`runs_af_app_team`, `journal_entries_af_app_team`) stands behind and is never what finds the rows.
 */
export function visibleRows({ from, columns, where, order, limit, own, ofProfiles }: VisibleRows): string {
  const branch = (whose: string, walk: PageClauses = { where, order }): string =>
    `(select ${columns} from ${from} where ${whose} and ${walk.where} order by ${walk.order} limit ${limit})`;
  return `select distinct on (created_at, id) * from (
      ${branch('owner_id = $1', own)}
      union all
      ${branch('team_id is not null and profile_owner_id = $1', ofProfiles)}
      union all
      select b.* from (select profile_id as of_profile, team_id as of_team, bool_or(not unattended) as everything
          from app_team_sight() group by 1, 2) s
        cross join lateral ${branch(`team_id = s.of_team and profile_id = s.of_profile
          and (s.everything or run_context in ('background', 'scheduled', 'monitor'))`)} b
    ) v order by ${order} limit ${limit}`;
}
