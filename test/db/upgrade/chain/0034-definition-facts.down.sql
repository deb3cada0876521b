set local role af_migrate;
drop function app_approval_acts(uuid, uuid);
create function app_approval_run_open(p_approval uuid) returns boolean language plpgsql stable
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  return (select not af_closed(r.status) from approvals a join runs r on r.id = a.run_id
    where a.id = p_approval and af_sees_approval(p_approval, app_uid()));
end $$;
grant execute on function app_approval_run_open(uuid) to af_app;
create index journal_profile on journal_entries (profile_id, created_at, id) where profile_id is not null;
drop index journal_owner_profile, journal_profile_team;
drop index connectors_owner_created, connectors_owner_name, playbooks_owner_created, playbooks_owner_name;
alter table connectors drop column icon, drop column category, drop column tags, drop column requires_auth,
  drop column auth_fields;
alter table playbooks drop column tags, drop column triggers, drop column required_connectors;
reset role;
