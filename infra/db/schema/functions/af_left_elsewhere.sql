-- Tests whether another run of the family sent this effect after this run (or a person who answered for it) last knew of it, unless it is
-- known to have failed: under the same key or, unless a person named the step, with the same inputs at the same place. The caller holds the
-- lock of the key.
create function af_left_elsewhere(p_run uuid, p_root uuid, p_effect_key text, p_digest text) returns boolean language plpgsql
  set search_path = pg_catalog, public, pg_temp as $$
declare
  v_known timestamptz;
begin
  if p_root is null then
    return false;
  end if;
  select max(greatest(a.effect_sent_at, a.resolved_at)) into v_known from step_attempts a
    where a.run_id = p_run and a.effect_key = p_effect_key
      and (a.effect_sent_count > 0 or a.resolution in ('repeat', 'not_done'));
  return exists (select from af_sent_by_others(p_run, p_root, p_effect_key, p_digest) a
    where v_known is null or a.effect_sent_at > v_known);
end $$;
