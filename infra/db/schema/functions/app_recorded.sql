-- Returns a recorded result (af_recorded) of a run that the caller sees.
create function app_recorded(p_run uuid, p_effect_key text, p_try_no integer) returns json language plpgsql stable
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  return case when app_sees_run(p_run) then af_recorded(p_run, p_effect_key, p_try_no) end;
end $$;
