-- Notes that Temporal has the workflow, so that the reconciler need not start it.
create function af_run_started(p_run uuid) returns void language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  update runs set workflow_started_at = clock_timestamp() where id = p_run and workflow_started_at is null;
end $$;
