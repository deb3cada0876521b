import { setTimeout as sleep } from 'node:timers/promises';
import type { Admin } from './admin';

const SETTLE_MS = 60_000;
const LOOK_MS = 50;

/**
 * Steps that the stream shows as open, requests, model calls, sub-playbooks, a last event that is not `complete`, no time of
 * the end and no journal entry, of runs that have ended.
 */
const OPEN = `with ended as (select id, owner_id, status, seq, finished_at from runs where af_closed(status) and ($1::uuid[] is null or root_run_id = any($1)))
  select 'step ' || s.step_path || ' (' || s.type || ') of ' || s.run_id as what
    from (select distinct on (e.run_id, e.step_path) e.run_id, e.step_path, e.type from run_events e
      where e.run_id in (select id from ended) and e.step_path is not null and e.type in
        ('step.started', 'step.waiting', 'step.attempt_failed', 'step.finished', 'step.skipped', 'child.started')
      order by e.run_id, e.step_path, e.seq desc) s
    where s.type not in ('step.finished', 'step.skipped')
  union all select 'request ' || a.step_path || ' of ' || a.run_id from approvals a join ended r on r.id = a.run_id
    where a.status = 'waiting'
  union all select 'request ' || q.step_path || ' of ' || q.run_id || ' without its end in the stream' from run_events q
    where q.run_id in (select id from ended) and q.type = 'approval.requested' and not exists (select from run_events d
      where d.run_id = q.run_id and d.step_path = q.step_path and d.type = 'approval.decided')
  union all select 'model call of ' || m.effect_key from model_calls m join ended r on r.id = m.run_id where m.outcome = 'open'
  union all select 'child ' || c.id || ' (' || c.status || ') of ' || c.parent_run_id from runs c
    join ended r on r.id = c.parent_run_id where not af_closed(c.status)
  union all select 'run ' || r.id || ' (' || r.status || ') ends with ' || coalesce(e.type, 'nothing') from ended r
    left join run_events e on e.run_id = r.id and e.seq = r.seq where e.type is distinct from 'complete'
  union all select 'run ' || r.id || ' (' || r.status || ') has no time of its end' from ended r where r.finished_at is null
  union all select 'run ' || r.id || ' (' || r.status || ') has no journal entry' from ended r
    where not exists (select from journal_entries j where j.run_id = r.id and j.kind = 'run')`;

/** Fails when anything is open in a run that has ended. `roots`: only these runs and those that they started. */
export async function openEnds(admin: Pick<Admin, 'query'>, roots: readonly string[] | null = null): Promise<string[]> {
  return (await admin.query<{ what: string }>(OPEN, [roots])).map(({ what }) => what);
}

/** Waits at the end of a test file: children end a moment after the run that started them. */
export async function expectNothingOpen(admin: Pick<Admin, 'query'>): Promise<void> {
  for (const end = Date.now() + SETTLE_MS; ; await sleep(LOOK_MS)) {
    const open = await openEnds(admin);
    if (open.length === 0) return;
    if (Date.now() > end) throw new Error(`Open in runs that have ended:\n${open.join('\n')}`);
  }
}
