-- Pages through the ids of requests that the caller is asked, by one index scan for each of their subjects. The API merges them with the
-- caller's own requests.
create function app_asked_approvals(p_status text[], p_run uuid, p_descending boolean, p_at timestamptz, p_id uuid,
  p_limit integer) returns setof uuid language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if p_descending then
    return query
      select s.id from af_subjects(app_uid(), false) as mine (subject)
        cross join lateral (select a.id from approval_approvers r join approvals a on a.id = r.approval_id
          where r.subject = mine.subject and (r.source <> 'escalation' or least(a.escalate_at, a.escalated_at) <= clock_timestamp())
            and (p_status is null or a.status = any(p_status)) and (p_run is null or a.run_id = p_run)
            and (r.requested_at, r.approval_id)
              < (coalesce(p_at, 'infinity'), coalesce(p_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
          order by r.requested_at desc, r.approval_id desc limit p_limit) s;
  else
    return query
      select s.id from af_subjects(app_uid(), false) as mine (subject)
        cross join lateral (select a.id from approval_approvers r join approvals a on a.id = r.approval_id
          where r.subject = mine.subject and (r.source <> 'escalation' or least(a.escalate_at, a.escalated_at) <= clock_timestamp())
            and (p_status is null or a.status = any(p_status)) and (p_run is null or a.run_id = p_run)
            and (r.requested_at, r.approval_id)
              > (coalesce(p_at, '-infinity'), coalesce(p_id, '00000000-0000-0000-0000-000000000000'))
          order by r.requested_at, r.approval_id limit p_limit) s;
  end if;
end $$;
