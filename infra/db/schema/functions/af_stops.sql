-- Lists the steps whose failure ended a run, in the order of their ends. It searches the payload as text, because a payload may hold what
-- PostgreSQL's JSON functions refuse.
create function af_stops(p_run uuid) returns text[] language sql stable
  security definer set search_path = pg_catalog, public, pg_temp as $$
  select coalesce(array_agg(step_path order by seq), '{}') from run_events
    where run_id = p_run and type = 'step.finished' and payload::text like '%"status":"failed"%'
      and payload::text like '%"on_error":"stop"%'
$$;
