-- Records a step (af_step) of a run that the caller sees.
create function app_step(p_run uuid, p_step json, p_input json, p_output json, p_error json) returns json language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  return case when app_sees_run(p_run) then af_step(p_run, p_step, p_input, p_output, p_error) end;
end $$;
