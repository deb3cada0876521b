-- Returns which other run of the family sent this effect last and what is known of it, for the person who is asked; null: no such run.
-- `outcome`: `ok`, `done` (a person said so) or `unknown`; `same`: with the inputs of this digest.
create function af_sent_elsewhere(p_run uuid, p_effect_key text, p_digest text default null) returns json language sql stable
  security definer set search_path = pg_catalog, public, pg_temp as $$
  select json_build_object('run_id', r.root_run_id, 'at', a.effect_sent_at, 'same', a.input_digest = p_digest,
      'outcome', case when s.status = 'ok' then 'ok' when a.resolution = 'done' then 'done' else 'unknown' end)
    from runs me, af_sent_by_others(me.id, me.effect_root, p_effect_key, p_digest) a join runs r on r.id = a.run_id
    left join step_results s on s.run_id = a.run_id and s.effect_key = a.effect_key and s.try_no = a.try_no
    where me.id = p_run
    order by (s.status = 'ok') desc nulls last, a.effect_sent_at desc, a.last_started_at limit 1
$$;
