-- Copies results and answers that remain valid into a run that continues with another's keys. An effect that a person declared done counts
-- as done.
create function af_take_over(p_from uuid, p_to uuid, p_paths text[]) returns setof text language plpgsql
  set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into step_results (run_id, effect_key, try_no, owner_id, step_path, step_name, action, status, input, output, error,
      started_at, finished_at, copied_from)
    select p_to, a.effect_key, a.try_no, a.owner_id, a.step_path, regexp_replace(regexp_replace(a.step_path, '/~.*$', ''), '^.*/', ''),
      coalesce(e.payload ->> 'action', ''), 'ok', null, '{"value":{"resolved":"done"}}', null, a.first_started_at,
      a.last_started_at, p_from
    from step_attempts a left join lateral (select s.payload from run_events s where s.run_id = p_from
      and s.type = 'step.started' and s.step_path = a.step_path order by s.seq desc limit 1) e on true
    where a.run_id = p_from and a.resolution = 'done' and (p_paths is null or a.step_path = any(p_paths))
      and not exists (select from step_results s
        where s.run_id = p_from and s.effect_key = a.effect_key and s.try_no = a.try_no)
    on conflict do nothing;
  return query
    insert into step_results (run_id, effect_key, try_no, owner_id, step_path, step_name, action, status, input, output,
      error, started_at, finished_at, copied_from)
    select p_to, s.effect_key, s.try_no, s.owner_id, s.step_path, s.step_name, s.action, s.status, s.input, s.output, s.error,
      s.started_at, s.finished_at, coalesce(s.copied_from, s.run_id)
    from step_results s where s.run_id = p_from and s.status = 'ok' and s.step_path = any(p_paths)
    on conflict do nothing
    returning step_path;
end $$;
