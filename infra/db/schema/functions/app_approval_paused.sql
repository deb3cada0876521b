-- Tests whether the run of a request is paused, for people who are asked but cannot see the run.
create function app_approval_paused(p_approval uuid) returns boolean language plpgsql stable
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  return (select r.control = 'pause' and not af_closed(r.status) from approvals a join runs r on r.id = a.run_id
    where a.id = p_approval and af_sees_approval(p_approval, app_uid()));
end $$;
