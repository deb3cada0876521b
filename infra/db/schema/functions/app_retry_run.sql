-- For builds that do not say what begins anew (0026): all of it has keys of its own.
create function app_retry_run(p_id uuid, p_run uuid, p_from text, p_presets json, p_overrides json, p_key text,
  p_hash text) returns boolean language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_run runs := af_retry_of(p_id, p_run, p_from, p_presets, p_overrides, p_key, p_hash);
begin
  if v_run.id is null then
    return false;
  end if;
  v_run.effect_root := null;
  v_run.effect_keys := null;
  v_run.asked_again := false;
  return af_put_run(v_run);
end $$;

-- Goes on with the keys of the run before; the steps of `p_renewed`, and those below them, have new ones: of the new run or, with
-- `p_shares_keys`, of all retries of that run that say nothing but to go on.
create function app_retry_run(p_id uuid, p_run uuid, p_from text, p_presets json, p_overrides json, p_key text, p_hash text,
  p_renewed text[], p_shares_keys boolean default false) returns boolean language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_run runs := af_retry_of(p_id, p_run, p_from, p_presets, p_overrides, p_key, p_hash);
begin
  if v_run.id is null then
    return false;
  end if;
  v_run.effect_root := coalesce(v_run.effect_root, p_run);
  v_run.effect_keys := af_keys_of(v_run.effect_keys,
    case when p_shares_keys then af_shared_keys(p_run) else p_id end, p_renewed);
  v_run.asked_again := true;
  return af_put_run(v_run);
end $$;
