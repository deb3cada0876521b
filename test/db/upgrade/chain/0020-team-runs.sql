-- Runs for a profile. A run belongs to whoever started it; its profile may be another's who shares it with a team.
set local role af_migrate;

-- May this person run the profile: as its owner (no team), or as a member of a team that it is shared with?
create function af_may_run(p_owner uuid, p_profile uuid, p_team uuid) returns boolean language plpgsql as $$
begin
  if p_team is null then
    return exists (select from agent_profiles
      where id = p_profile and owner_id = p_owner and is_active and deleted_at is null);
  end if;
  return exists (select from agent_team_shares s join agent_profiles p on p.id = s.profile_id
      join teams t on t.id = s.team_id join team_members m on m.team_id = t.id
    where s.profile_id = p_profile and s.team_id = p_team and s.is_active and p.is_active and p.deleted_at is null
      and t.deleted_at is null and m.user_id = p_owner and m.role <> 'viewer');
end $$;

-- As before, and for a profile: another's runs only the playbooks that it has as skills. What a run starts is for the same
-- profile.
drop function af_create_run(uuid, uuid, uuid, uuid, text, text, json, text, text, text, text, json, json, integer, uuid, text,
  uuid, integer, uuid, text, text, text);
create function af_create_run(p_id uuid, p_owner uuid, p_playbook uuid, p_version uuid, p_slug text, p_name text, p_inputs json,
  p_query text, p_run_context text, p_approval_policy text, p_invoked_by text, p_clock json, p_connectors json,
  p_steps_total integer, p_parent uuid, p_parent_path text, p_root uuid, p_depth integer, p_retry_of uuid, p_retry_from text,
  p_key text, p_hash text, p_profile uuid default null, p_team uuid default null) returns setof runs
language plpgsql rows 1 security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_version_owner uuid;
  v_profile_owner uuid;
  v_profile uuid;
  v_team uuid;
begin
  select owner_id into v_version_owner from playbook_versions where id = p_version and playbook_id = p_playbook;
  if p_parent is not null then
    select profile_id, profile_owner_id, team_id into v_profile, v_profile_owner, v_team from runs where id = p_parent;
  elsif p_profile is not null then
    if not af_may_run(p_owner, p_profile, p_team) then
      raise exception 'a run is for a profile that its owner may not run' using errcode = 'insufficient_privilege';
    end if;
    v_profile := p_profile;
    v_team := p_team;
    select owner_id into v_profile_owner from agent_profiles where id = p_profile;
  end if;
  if v_version_owner is null
    or not (v_version_owner = p_owner and (p_parent is not null or coalesce(v_profile_owner, p_owner) = p_owner)
      or v_version_owner = v_profile_owner and exists (select from profile_skills
        where profile_id = v_profile and playbook_id = p_playbook and is_enabled))
    or p_profile is null and p_team is not null
    or p_parent is not null and not exists (select from runs where id = p_parent and owner_id = p_owner)
    or p_root <> p_id and not exists (select from runs where id = p_root and owner_id = p_owner)
    or p_retry_of is not null and not exists (select from runs where id = p_retry_of and owner_id = p_owner) then
    raise exception 'a run refers to what its owner does not see' using errcode = 'insufficient_privilege';
  end if;
  return query
    insert into runs (id, owner_id, playbook_id, playbook_version_id, playbook_slug, playbook_name, inputs, query, run_context,
      approval_policy, invoked_by, clock, connectors, steps_total, parent_run_id, parent_step_path, root_run_id, depth,
      retry_of, retry_from, idempotency_key, idempotency_hash, profile_id, profile_owner_id, team_id)
    values (p_id, p_owner, p_playbook, p_version, p_slug, p_name, p_inputs, p_query, p_run_context, p_approval_policy,
      p_invoked_by, p_clock, p_connectors, p_steps_total, p_parent, p_parent_path, p_root, p_depth, p_retry_of, p_retry_from,
      p_key, p_hash, v_profile, v_profile_owner, v_team)
    on conflict do nothing returning *;
end $$;

-- As before; a run for a profile is repeated by who may still run it, as long as the profile has what it runs.
create or replace function app_retry_run(p_id uuid, p_run uuid, p_from text, p_presets json, p_overrides json, p_key text,
  p_hash text) returns boolean language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into runs (id, owner_id, playbook_id, playbook_version_id, playbook_slug, playbook_name, root_run_id, depth,
      retry_of, retry_from, inputs, query, run_context, approval_policy, invoked_by, clock, connectors, steps_total,
      retry_presets, retry_overrides, idempotency_key, idempotency_hash, profile_id, profile_owner_id, team_id, strategy)
    select p_id, owner_id, playbook_id, playbook_version_id, playbook_slug, playbook_name, p_id, 0,
      id, p_from, inputs, query, run_context, approval_policy, invoked_by, clock, connectors, steps_total,
      p_presets, p_overrides, p_key, p_hash, profile_id, profile_owner_id, team_id, strategy
    from runs r where id = p_run and owner_id = app_uid() and af_closed(status)
      and (profile_id is null or af_may_run(owner_id, profile_id, team_id))
      and (exists (select from playbooks p where p.id = r.playbook_id and p.owner_id = r.owner_id)
        or exists (select from profile_skills k where k.profile_id = r.profile_id and k.playbook_id = r.playbook_id
          and k.is_enabled))
    on conflict do nothing;
  return found;
end $$;

-- ── a lost share ────────────────────────────────────────────────────────────────────────────────
-- Open runs that used it stop before their next step: the transaction that would begin it reads `control`. Whoever started
-- such a run resumes it only when he may run the profile again.
alter table runs add column revoked_at timestamptz;

create function app_may_resume(p_profile uuid, p_team uuid) returns boolean language sql as $$
  select p_team is null or af_may_run(app_uid(), p_profile, p_team)
$$;
alter policy runs_af_app on runs with check (owner_id = (select app_uid())
  and (control <> 'run' or app_may_resume(profile_id, team_id)));
grant update (revoked_at) on runs to af_app;

-- p_profile, p_user: null = of all.
create function af_revoke_runs(p_team uuid, p_profile uuid, p_user uuid) returns void language sql as $$
  update runs set control = 'pause', revoked_at = clock_timestamp(), updated_at = clock_timestamp()
    where team_id = p_team and (p_profile is null or profile_id = p_profile) and (p_user is null or owner_id = p_user)
      and control = 'run' and not af_closed(status)
$$;
create function af_share_lost() returns trigger language plpgsql as $$
begin
  perform af_revoke_runs(old.team_id, old.profile_id, null);
  return null;
end $$;
create function af_member_lost() returns trigger language plpgsql as $$
begin
  perform af_revoke_runs(old.team_id, null, old.user_id);
  return null;
end $$;
create trigger share_removed after delete on agent_team_shares for each row execute function af_share_lost();
create trigger share_stopped after update on agent_team_shares for each row
  when (old.is_active and not new.is_active) execute function af_share_lost();
create trigger member_removed after delete on team_members for each row execute function af_member_lost();
create trigger member_demoted after update on team_members for each row
  when (old.role <> 'viewer' and new.role = 'viewer') execute function af_member_lost();

-- ── who may call what ───────────────────────────────────────────────────────────────────────────
do $$
declare
  v record;
  v_inside constant text[] := array['af_lock_team', 'af_is_last_owner', 'af_my_shares', 'af_may_run', 'af_revoke_runs',
    'af_share_lost', 'af_member_lost'];
  v_app constant text[] := array['app_my_teams', 'app_team_role', 'app_in_team', 'app_team_people', 'app_create_team',
    'app_set_team_member', 'app_remove_team_member', 'app_delete_team', 'app_team_profiles', 'app_team_sight',
    'app_team_playbooks', 'app_team_connectors', 'app_profile_playbooks', 'app_profile_connectors', 'app_owns_profile', 'app_sees_profile', 'app_owns_connection',
    'app_owns_monitor', 'app_sees_plugin', 'app_shares_with', 'app_may_resume'];
begin
  for v in select p.oid::regprocedure as name, p.proname = any(v_app) as for_app from pg_proc p
    where p.pronamespace = 'public'::regnamespace and p.proname = any(v_inside || v_app)
  loop
    execute format('alter function %s security definer', v.name);
    execute format('alter function %s set search_path = pg_catalog, public, pg_temp', v.name);
    if v.for_app then
      execute format('grant execute on function %s to af_app', v.name);
    end if;
  end loop;
end $$;
grant execute on function af_create_run(uuid, uuid, uuid, uuid, text, text, json, text, text, text, text, json, json, integer,
  uuid, text, uuid, integer, uuid, text, text, text, uuid, uuid) to af_login;
