-- Ends an attempt that waits for a source, while its worker lives. What it sent was refused, so no effect happened.
create function af_wait_step(p_run uuid, p_effect_key text, p_try_no integer, p_worker text, p_not_done boolean default true)
returns void language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  update step_attempts set released = least(starts, released + 1), worker = null,
      resolution = case when effect_sent_count > 0 and p_not_done then 'not_done' else resolution end
    where run_id = p_run and effect_key = p_effect_key and try_no = p_try_no and worker = p_worker;
end $$;
