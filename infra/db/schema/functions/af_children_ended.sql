-- Returns how the last sub-playbook of each path ended. A `partial` one is not ok if a step failed in it, at any depth. It searches the
-- payload as text, because a payload may hold what PostgreSQL's JSON functions refuse.
create function af_children_ended(p_run uuid) returns table (step_path text, ok boolean) language plpgsql stable
  security definer set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_column
begin
  return query
    select c.step_path, c.payload ->> 'status' = 'complete'
        or c.payload ->> 'status' = 'partial' and not af_failed_within((c.payload ->> 'child')::uuid)
      from (select distinct on (e.step_path) e.step_path, e.payload from run_events e
        where e.run_id = p_run and e.type = 'child.finished' order by e.step_path, e.seq desc) c;
end $$;
