-- Returns the output of the same step in another run of the family that ended well with the same inputs; null if there is none. A step that
-- a person restarted by name counts only under the same key. `p_input`: the inputs as they are kept, for results of builds that recorded no
-- digest.
create function af_done_before(p_run uuid, p_root uuid, p_effect_key text, p_input json, p_digest text) returns json
  language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select s.output from af_family(p_run) f join step_results s on s.run_id = f
    left join step_attempts a on a.run_id = s.run_id and a.effect_key = s.effect_key and a.try_no = s.try_no
    where (s.effect_key = p_effect_key or split_part(p_effect_key, '/', 1) = p_root::text or p_effect_key ~ '^[0-9a-f]{8}-[0-9a-f]{4}-3')
      and s.step_path = substring(p_effect_key from '^[^/]*/(.*)$') and s.status = 'ok'
      and (a.input_digest = p_digest or a.input_digest is null and s.input::text = p_input::text)
    order by s.finished_at desc limit 1
$$;
