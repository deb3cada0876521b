-- Lists the bodies that left before under this key in the run and its family or, unless a person named the step, at the same place: the
-- digest of the inputs with the key that was sent, oldest first. Null: none left, or none was recorded.
create function af_left_with(p_run uuid, p_root uuid, p_effect_key text) returns json language sql stable
  set search_path = pg_catalog, public, pg_temp as $$
  select json_agg(json_build_object('digest', a.input_digest, 'key', coalesce(a.left_as, a.effect_key)) order by a.effect_sent_at)
    from (select p_run as id union all select af_family(p_run)) f join step_attempts a on a.run_id = f.id
    where a.effect_sent_count > 0 and a.input_digest is not null
      and (a.effect_key = p_effect_key
        or a.step_path = substring(p_effect_key from '^[^/]*/(.*)$')
          and (split_part(p_effect_key, '/', 1) = p_root::text or p_effect_key ~ '^[0-9a-f]{8}-[0-9a-f]{4}-3'))
$$;
