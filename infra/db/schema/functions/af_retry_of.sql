-- The run that tries an ended one again: what it inherits, under an id and key of its own. Nothing: it may not be tried again.
create function af_retry_of(p_id uuid, p_run uuid, p_from text, p_presets json, p_overrides json, p_key text, p_hash text)
returns runs language plpgsql set search_path = pg_catalog, public, pg_temp as $$
declare
  v_run runs;
begin
  select * into v_run from runs where id = p_run and app_why_no_retry(p_run) is null;
  if not found then
    return null;
  end if;
  v_run.id := p_id;
  v_run.parent_run_id := null;
  v_run.parent_step_path := null;
  v_run.root_run_id := p_id;
  v_run.depth := 0;
  v_run.retry_of := p_run;
  v_run.retry_from := p_from;
  v_run.retry_presets := p_presets;
  v_run.retry_overrides := p_overrides;
  v_run.idempotency_key := p_key;
  v_run.idempotency_hash := p_hash;
  return v_run;
end $$;
