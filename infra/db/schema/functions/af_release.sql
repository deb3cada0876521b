-- Marks an attempt as ended without a result by an outage or a shutdown, so that it does not count as a lost worker.
create function af_release(p_run uuid, p_effect_key text, p_try_no integer, p_worker text) returns void language sql
  security definer set search_path = pg_catalog, public, pg_temp as $$
  update step_attempts set released = least(starts, released + 1), worker = null
    where run_id = p_run and effect_key = p_effect_key and try_no = p_try_no and worker = p_worker
$$;
