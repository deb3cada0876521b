-- Inserts the row of a sub-playbook that continues where an earlier child ended: p_before with the id, path, key, begins_with and presets
-- of p_new. False: the row exists already.
create function af_insert_repeat(p_new af_child_retry, p_before runs, p_parent runs, p_keys jsonb, p_asked boolean) returns boolean
  language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  v_run runs := p_before;
begin
  if p_before.team_id is not null and not af_may_run(p_before.owner_id, p_before.profile_id, p_before.team_id) then
    raise exception 'a run is for a profile that its owner may not run' using errcode = 'insufficient_privilege';
  end if;
  v_run.id := p_new.id;
  v_run.parent_run_id := p_parent.id;
  v_run.parent_step_path := p_new.path;
  v_run.root_run_id := p_parent.root_run_id;
  v_run.depth := p_parent.depth + 1;
  v_run.retry_of := p_before.id;
  v_run.retry_from := p_new.begins_with;
  v_run.retry_presets := p_new.presets::json;
  v_run.retry_overrides := null;
  v_run.idempotency_key := p_new.key;
  v_run.idempotency_hash := 'child';
  v_run.effect_root := coalesce(p_before.effect_root, p_before.id);
  v_run.effect_keys := p_keys;
  v_run.asked_again := p_asked;
  return af_put_run(v_run);
end $$;
