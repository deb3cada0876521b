-- Output of the step at the same place of another run of the family that ended well with the same inputs; null: there is none. What
-- somebody named, so that it begins anew in one run and in those that go on with it, was done before under that key alone.
create function af_done_before(p_run uuid, p_root uuid, p_effect_key text, p_input json) returns json language sql stable
  set search_path = pg_catalog, public, pg_temp as $$
  select s.output from runs r join step_results s on s.run_id = r.id
    where (r.effect_root = p_root or r.id = p_root) and r.id <> p_run
      and (s.effect_key = p_effect_key or split_part(p_effect_key, '/', 1) = p_root::text or p_effect_key ~ '^[0-9a-f]{8}-[0-9a-f]{4}-3')
      and s.step_path = substring(p_effect_key from '^[^/]*/(.*)$') and s.status = 'ok' and s.input::text = p_input::text
    order by s.finished_at desc limit 1
$$;
