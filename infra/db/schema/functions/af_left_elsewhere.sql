-- Did another run with these keys send this, and is it not known to have failed? What a run has sent itself, or took over, is its own
-- to judge. The lock keeps two from asking at one moment.
create function af_left_elsewhere(p_run uuid, p_root uuid, p_effect_key text) returns boolean language plpgsql
  set search_path = pg_catalog, public, pg_temp as $$
begin
  if p_root is null then
    return false;
  end if;
  perform pg_advisory_xact_lock(hashtextextended(p_effect_key, 51));
  return not exists (select from step_attempts a where a.run_id = p_run and a.effect_key = p_effect_key
      and (a.effect_sent_count > 0 or a.resolution in ('repeat', 'not_done')))
    and exists (select from runs r join step_attempts a on a.run_id = r.id
      where (r.effect_root = p_root or r.id = p_root) and r.id <> p_run
        and a.effect_key = p_effect_key and a.effect = 'unsafe' and a.effect_sent_count > 0
        and coalesce(a.resolution, '') not in ('repeat', 'not_done')
        and not exists (select from step_results s where s.run_id = a.run_id and s.effect_key = a.effect_key
          and s.try_no = a.try_no and s.status = 'failed'));
end $$;
