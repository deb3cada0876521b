-- Lists attempts of other runs of the family that sent this effect and are not known to have failed.
create function af_sent_by_others(p_run uuid, p_root uuid, p_effect_key text, p_digest text) returns setof step_attempts
  language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select a.* from af_family(p_run) f join step_attempts a on a.run_id = f
    where a.effect = 'unsafe' and a.effect_sent_count > 0 and coalesce(a.resolution, '') not in ('repeat', 'not_done')
      and (a.effect_key = p_effect_key
        or a.step_path = substring(p_effect_key from '^[^/]*/(.*)$') and a.input_digest = p_digest
          and (split_part(p_effect_key, '/', 1) = p_root::text or p_effect_key ~ '^[0-9a-f]{8}-[0-9a-f]{4}-3'))
      and not exists (select from step_results s where s.run_id = a.run_id and s.effect_key = a.effect_key
        and s.try_no = a.try_no and s.status = 'failed')
$$;
