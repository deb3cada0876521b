set local role af_migrate;
drop function af_wait_step(uuid, text, integer, text, boolean);
create function af_wait_step(p_run uuid, p_effect_key text, p_try_no integer, p_worker text) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  update step_attempts set released = least(starts, released + 1), worker = null,
      resolution = case when effect_sent_count > 0 then 'not_done' else resolution end
    where run_id = p_run and effect_key = p_effect_key and try_no = p_try_no and worker = p_worker;
end $$;
grant execute on function af_wait_step(uuid, text, integer, text) to af_login;
reset role;
