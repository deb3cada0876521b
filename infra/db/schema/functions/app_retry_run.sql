-- Makes the run that retries another, with the keys of the earlier run. Steps of `renewed`, and those below them, get new keys: of the new
-- run or, with `shares_keys`, those shared by all retries that name no step. False: it may not be retried, or exists already.
create function app_retry_run(p_retry json) returns boolean language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_new constant af_new_retry := json_populate_record(null::af_new_retry, p_retry);
  v_run runs := af_retry_of(v_new);
begin
  if v_run.id is null then
    return false;
  end if;
  v_run.effect_root := coalesce(v_run.effect_root, v_new.run);
  v_run.effect_keys := af_keys_of(v_run.effect_keys,
    case when v_new.shares_keys then af_shared_keys(v_new.run) else v_new.id end, v_new.renewed);
  v_run.asked_again := true;
  return af_put_run(v_run);
end $$;
