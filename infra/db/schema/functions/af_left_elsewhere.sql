-- Did another run with these keys send this since this one, or a person who answered for it, last knew of it, and is it not known to
-- have failed? The lock keeps two from asking at one moment.
create function af_left_elsewhere(p_run uuid, p_root uuid, p_effect_key text) returns boolean language plpgsql
  set search_path = pg_catalog, public, pg_temp as $$
declare
  v_known timestamptz;
begin
  if p_root is null then
    return false;
  end if;
  perform pg_advisory_xact_lock(hashtextextended(p_effect_key, 51));
  select max(greatest(a.effect_sent_at, a.resolved_at)) into v_known from step_attempts a
    where a.run_id = p_run and a.effect_key = p_effect_key
      and (a.effect_sent_count > 0 or a.resolution in ('repeat', 'not_done'));
  return exists (select from runs r join step_attempts a on a.run_id = r.id
    where (r.effect_root = p_root or r.id = p_root) and r.id <> p_run
      and a.effect_key = p_effect_key and a.effect = 'unsafe' and a.effect_sent_count > 0
      and (v_known is null or a.effect_sent_at > v_known)
      and coalesce(a.resolution, '') not in ('repeat', 'not_done')
      and not exists (select from step_results s where s.run_id = a.run_id and s.effect_key = a.effect_key
        and s.try_no = a.try_no and s.status = 'failed'));
end $$;
