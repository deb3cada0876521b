-- What lists and views of requests read, and the version that a run has pinned.
set local role af_migrate;

-- One status in the order of the list: those that wait, and any other.
create index approvals_owner_status on approvals (owner_id, status, requested_at, id);
drop index approvals_open;
-- Runs for a profile: one's own, and those of teams, without looking through the others.
create index runs_owner_profile on runs (owner_id, profile_id, created_at, id) where profile_id is not null;
create index runs_profile_team on runs (profile_id, created_at, id) where team_id is not null;
drop index runs_profile;
-- How somebody decided at this gate before.
create index approvals_owner_step on approvals (owner_id, step_path, requested_at, id);

-- What is somebody's own is seen as that: nobody else's rights are looked up for it. (Of several policies the last by name is
-- asked first.)
do $$
declare
  v_table text;
begin
  foreach v_table in array array['approval_decisions', 'approval_approvers', 'approval_acts'] loop
    execute format('alter policy %I on %I using (owner_id <> (select app_uid()) and app_sees_approval(approval_id))',
      v_table || '_approver', v_table);
  end loop;
end $$;
alter policy approvals_approver on approvals using (owner_id <> (select app_uid()) and app_sees_approval(id));
alter policy playbooks_af_app_team on playbooks
  using (owner_id <> (select app_uid()) and id in (select app_team_playbooks()));
alter policy playbook_versions_af_app_team on playbook_versions
  using (owner_id <> (select app_uid()) and playbook_id in (select app_team_playbooks()));

-- As before, with plans that are kept: an open end of the range is the end of time.
create or replace function app_asked_approvals(p_status text[], p_run uuid, p_descending boolean, p_at timestamptz, p_id uuid,
  p_limit integer) returns setof uuid language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if p_descending then
    return query
      select s.id from af_subjects(app_uid(), false) as mine (subject)
        cross join lateral (select a.id from approval_approvers r join approvals a on a.id = r.approval_id
          where r.subject = mine.subject and (r.source <> 'escalation' or a.escalated_at is not null)
            and (p_status is null or a.status = any(p_status)) and (p_run is null or a.run_id = p_run)
            and (r.requested_at, r.approval_id)
              < (coalesce(p_at, 'infinity'), coalesce(p_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
          order by r.requested_at desc, r.approval_id desc limit p_limit) s;
  else
    return query
      select s.id from af_subjects(app_uid(), false) as mine (subject)
        cross join lateral (select a.id from approval_approvers r join approvals a on a.id = r.approval_id
          where r.subject = mine.subject and (r.source <> 'escalation' or a.escalated_at is not null)
            and (p_status is null or a.status = any(p_status)) and (p_run is null or a.run_id = p_run)
            and (r.requested_at, r.approval_id)
              > (coalesce(p_at, '-infinity'), coalesce(p_id, '00000000-0000-0000-0000-000000000000'))
          order by r.requested_at, r.approval_id limit p_limit) s;
  end if;
end $$;

-- Whether the run of a request can still hear of a decision. Who is asked need not see the run.
create function app_approval_run_open(p_approval uuid) returns boolean language plpgsql stable
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  return (select not af_closed(r.status) from approvals a join runs r on r.id = a.run_id
    where a.id = p_approval and af_sees_approval(p_approval, app_uid()));
end $$;
grant execute on function app_approval_run_open(uuid) to af_app;

-- The version that a run has pinned, read for the run itself: its owner may have lost the share that he started it by. Whether it
-- may go on is another matter (`control`, af_may_run).
create function af_run_playbook(p_run uuid) returns table (id uuid, definition_id uuid, version_no integer,
  declared_version text, content_hash text, source_format text, created_at timestamptz, owner_id uuid, slug text, source text,
  body json) language plpgsql stable rows 1 security definer set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_column
begin
  return query
    select v.id, v.playbook_id, v.version_no, v.declared_version, v.content_hash, v.source_format, v.created_at, v.owner_id,
        d.slug, v.source, v.plan
      from runs r join playbook_versions v on v.id = r.playbook_version_id join playbooks d on d.id = v.playbook_id
      where r.id = p_run;
end $$;
grant execute on function af_run_playbook(uuid) to af_login;

reset role;
