-- Builds the run that retries an ended one: what it inherits, under its own id and key. Null: it may not be retried.
create function af_retry_of(p_retry af_new_retry) returns runs language plpgsql
  set search_path = pg_catalog, public, pg_temp as $$
declare
  v_run runs;
begin
  select * into v_run from runs where id = p_retry.run and app_why_no_retry(p_retry.run) is null;
  if not found then
    return null;
  end if;
  v_run.id := p_retry.id;
  v_run.parent_run_id := null;
  v_run.parent_step_path := null;
  v_run.root_run_id := p_retry.id;
  v_run.depth := 0;
  v_run.retry_of := p_retry.run;
  v_run.retry_from := p_retry.begins_with;
  v_run.retry_presets := p_retry.presets::json;
  v_run.retry_overrides := p_retry.overrides::json;
  v_run.idempotency_key := p_retry.key;
  v_run.idempotency_hash := p_retry.hash;
  return v_run;
end $$;
