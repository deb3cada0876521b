set local role af_migrate;

-- A step waits for a source: its attempt ends with its worker alive. Only where all that had left was refused (p_not_done)
-- nothing of it happened; else its outcome stays open, and an unsafe effect asks a person before it leaves again.
drop function af_wait_step(uuid, text, integer, text);
create function af_wait_step(p_run uuid, p_effect_key text, p_try_no integer, p_worker text, p_not_done boolean default true)
returns void language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  update step_attempts set released = least(starts, released + 1), worker = null,
      resolution = case when effect_sent_count > 0 and p_not_done then 'not_done' else resolution end
    where run_id = p_run and effect_key = p_effect_key and try_no = p_try_no and worker = p_worker;
end $$;
grant execute on function af_wait_step(uuid, text, integer, text, boolean) to af_login;
reset role;
