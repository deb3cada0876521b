set local role af_migrate;

drop function af_create_run(uuid, uuid, uuid, uuid, text, text, json, text, text, text, text, json, json, integer, uuid, text,
  uuid, integer, uuid, text, text, text, uuid, uuid);
create function af_create_run(p_id uuid, p_owner uuid, p_playbook uuid, p_version uuid, p_slug text, p_name text, p_inputs json,
  p_query text, p_run_context text, p_approval_policy text, p_invoked_by text, p_clock json, p_connectors json,
  p_steps_total integer, p_parent uuid, p_parent_path text, p_root uuid, p_depth integer, p_retry_of uuid, p_retry_from text,
  p_key text, p_hash text) returns setof runs language plpgsql rows 1
security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if not exists (select from playbook_versions where id = p_version and playbook_id = p_playbook and owner_id = p_owner)
    or p_parent is not null and not exists (select from runs where id = p_parent and owner_id = p_owner)
    or p_root <> p_id and not exists (select from runs where id = p_root and owner_id = p_owner)
    or p_retry_of is not null and not exists (select from runs where id = p_retry_of and owner_id = p_owner) then
    raise exception 'a run refers to what its owner does not see' using errcode = 'insufficient_privilege';
  end if;
  return query
    insert into runs (id, owner_id, playbook_id, playbook_version_id, playbook_slug, playbook_name, inputs, query, run_context,
      approval_policy, invoked_by, clock, connectors, steps_total, parent_run_id, parent_step_path, root_run_id, depth,
      retry_of, retry_from, idempotency_key, idempotency_hash)
    values (p_id, p_owner, p_playbook, p_version, p_slug, p_name, p_inputs, p_query, p_run_context, p_approval_policy,
      p_invoked_by, p_clock, p_connectors, p_steps_total, p_parent, p_parent_path, p_root, p_depth, p_retry_of, p_retry_from,
      p_key, p_hash)
    on conflict do nothing returning *;
end $$;
grant execute on function af_create_run(uuid, uuid, uuid, uuid, text, text, json, text, text, text, text, json, json, integer,
  uuid, text, uuid, integer, uuid, text, text, text) to af_login;
create or replace function app_retry_run(p_id uuid, p_run uuid, p_from text, p_presets json, p_overrides json, p_key text, p_hash text)
returns boolean language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into runs (id, owner_id, playbook_id, playbook_version_id, playbook_slug, playbook_name, root_run_id, depth,
      retry_of, retry_from, inputs, query, run_context, approval_policy, invoked_by, clock, connectors, steps_total,
      retry_presets, retry_overrides, idempotency_key, idempotency_hash)
    select p_id, owner_id, playbook_id, playbook_version_id, playbook_slug, playbook_name, p_id, 0,
      id, p_from, inputs, query, run_context, approval_policy, invoked_by, clock, connectors, steps_total,
      p_presets, p_overrides, p_key, p_hash
    from runs where id = p_run and owner_id = app_uid() and af_closed(status)
    on conflict do nothing;
  return found;
end $$;
drop trigger share_removed on agent_team_shares;
drop trigger share_stopped on agent_team_shares;
drop trigger member_removed on team_members;
drop trigger member_demoted on team_members;
drop function af_share_lost(), af_member_lost(), af_revoke_runs(uuid, uuid, uuid);
alter policy runs_af_app on runs with check (owner_id = (select app_uid()) and true);
alter table runs drop column revoked_at;
drop function app_may_resume(uuid, uuid), af_may_run(uuid, uuid, uuid);

alter policy journal_entries_af_app on journal_entries
  with check (owner_id = (select app_uid()) and app_sees_run(run_id) and app_sees_playbook(playbook_id));
drop policy journal_entries_af_app_team on journal_entries;
drop policy runs_af_app_team on runs;
drop policy connector_versions_af_app_team on connector_versions;
drop policy connectors_af_app_team on connectors;
drop policy playbook_versions_af_app_team on playbook_versions;
drop policy playbooks_af_app_team on playbooks;
drop trigger journal_of_run on journal_entries;
drop function af_journal_of_run();
alter table journal_entries drop column profile_id, drop column profile_owner_id, drop column team_id;
drop index runs_owner_status, runs_owner_playbook, runs_owner_slug;
alter table runs drop column profile_id, drop column profile_owner_id, drop column team_id, drop column schedule_id,
  drop column monitor_id, drop column strategy, drop column connectors_called, drop column output_destinations;

do $$
declare
  v record;
begin
  for v in select p.polname, p.polrelid::regclass as name from pg_policy p where p.polrelid = any(array['teams', 'team_members',
    'topics', 'agent_profiles', 'connections', 'profile_connectors', 'profile_skills', 'agent_team_shares', 'schedules',
    'monitors', 'monitor_watermarks', 'discoveries', 'entity_reviews', 'entity_resolutions', 'notifications', 'webhooks',
    'plugins', 'plugin_settings']::regclass[])
  loop
    execute format('drop policy %I on %s', v.polname, v.name);
  end loop;
end $$;
drop function app_profile_playbooks(uuid), app_profile_connectors(uuid), app_team_sight(), app_team_playbooks(), app_team_connectors(), app_sees_profile(uuid), app_owns_profile(uuid),
  app_owns_connection(uuid), app_owns_monitor(uuid), app_sees_plugin(uuid), app_shares_with(uuid), app_team_profiles(),
  af_my_shares(), app_delete_team(uuid, bigint),
  app_remove_team_member(uuid, uuid, bigint), app_set_team_member(uuid, text, text, bigint),
  af_is_last_owner(uuid, uuid), af_lock_team(uuid), app_create_team(uuid, text, text), app_team_people(uuid),
  app_in_team(uuid), app_team_role(uuid), app_my_teams();
drop table plugin_settings, plugins, webhooks, notifications, entity_resolutions, entity_reviews, discoveries,
  monitor_watermarks, monitors, schedules, agent_team_shares, profile_skills, profile_connectors, connections,
  agent_profiles, topics, team_members, teams;
