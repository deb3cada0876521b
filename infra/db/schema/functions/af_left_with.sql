-- Digest of the inputs with which something left under this key itself in a run of the family: what says something else has another
-- key. Null: nothing did, or nobody noted it.
create function af_left_with(p_root uuid, p_effect_key text) returns text language sql stable
  set search_path = pg_catalog, public, pg_temp as $$
  select a.input_digest from runs r join step_attempts a on a.run_id = r.id
    where (r.effect_root = p_root or r.id = p_root) and a.effect_key = p_effect_key and a.effect_sent_count > 0
      and a.left_as is null and a.input_digest is not null limit 1
$$;
