-- af_step for people: their own runs alone.
create function app_step(p_run uuid, p_events json, p_patch json, p_record json, p_input json, p_output json, p_error json,
  p_begin json) returns json language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  return case when app_sees_run(p_run)
    then af_step(p_run, p_events, p_patch, p_record, p_input, p_output, p_error, p_begin) end;
end $$;
