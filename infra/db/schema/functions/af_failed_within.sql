-- Tests whether something failed in the run and was tolerated: a step with on_error, or a child.
create function af_failed_within(p_run uuid) returns boolean language plpgsql stable
  set search_path = pg_catalog, public, pg_temp as $$
begin
  return exists (select from (select distinct on (e.step_path) e.type, e.payload from run_events e
        where e.run_id = p_run and e.type = 'step.finished' order by e.step_path, e.seq desc) s
      where s.payload::text like '%"status":"failed"%' and s.payload::text like '%"on_error":%')
    or exists (select from af_children_ended(p_run) c where not c.ok);
end $$;
