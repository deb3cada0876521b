-- Runs that others' profiles start, all the way down: sub-playbooks and connectors are those of the profile.
set local role af_migrate;

-- As before, and: a child of a run for another's profile is one of the profile's skills as well, may still be run, and pins
-- connectors that the profile uses; what kind of run it is, and where its playbook sends results.
drop function af_create_run(uuid, uuid, uuid, uuid, text, text, json, text, text, text, text, json, json, integer, uuid, text,
  uuid, integer, uuid, text, text, text, uuid, uuid);
create function af_create_run(p_id uuid, p_owner uuid, p_playbook uuid, p_version uuid, p_slug text, p_name text, p_inputs json,
  p_query text, p_run_context text, p_approval_policy text, p_invoked_by text, p_clock json, p_connectors json,
  p_steps_total integer, p_parent uuid, p_parent_path text, p_root uuid, p_depth integer, p_retry_of uuid, p_retry_from text,
  p_key text, p_hash text, p_profile uuid default null, p_team uuid default null, p_strategy text default null,
  p_destinations json default '[]') returns setof runs
language plpgsql rows 1 security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_version_owner uuid;
  v_profile_owner uuid;
  v_profile uuid;
  v_team uuid;
begin
  select owner_id into v_version_owner from playbook_versions where id = p_version and playbook_id = p_playbook;
  v_profile := p_profile;
  v_team := p_team;
  if p_parent is not null then
    select profile_id, team_id into v_profile, v_team from runs where id = p_parent;
  end if;
  if v_profile is not null then
    if (p_parent is null or v_team is not null) and not af_may_run(p_owner, v_profile, v_team) then
      raise exception 'a run is for a profile that its owner may not run' using errcode = 'insufficient_privilege';
    end if;
    select owner_id into v_profile_owner from agent_profiles where id = v_profile;
  end if;
  if v_version_owner is null
    or v_version_owner <> coalesce(v_profile_owner, p_owner)
    or v_profile_owner <> p_owner and not exists (select from profile_skills
      where profile_id = v_profile and playbook_id = p_playbook and is_enabled)
    or v_profile_owner <> p_owner and exists (select from json_each_text(p_connectors) c
      where not exists (select from connector_versions v join profile_connectors b on b.connector_id = v.connector_id
        where v.id::text = c.value and v.owner_id = v_profile_owner and b.profile_id = v_profile and b.is_enabled))
    or p_profile is null and p_team is not null
    or p_parent is not null and not exists (select from runs where id = p_parent and owner_id = p_owner)
    or p_root <> p_id and not exists (select from runs where id = p_root and owner_id = p_owner)
    or p_retry_of is not null and not exists (select from runs where id = p_retry_of and owner_id = p_owner) then
    raise exception 'a run refers to what its owner does not see' using errcode = 'insufficient_privilege';
  end if;
  return query
    insert into runs (id, owner_id, playbook_id, playbook_version_id, playbook_slug, playbook_name, inputs, query, run_context,
      approval_policy, invoked_by, clock, connectors, steps_total, parent_run_id, parent_step_path, root_run_id, depth,
      retry_of, retry_from, idempotency_key, idempotency_hash, profile_id, profile_owner_id, team_id, strategy,
      output_destinations)
    values (p_id, p_owner, p_playbook, p_version, p_slug, p_name, p_inputs, p_query, p_run_context, p_approval_policy,
      p_invoked_by, p_clock, p_connectors, p_steps_total, p_parent, p_parent_path, p_root, p_depth, p_retry_of, p_retry_from,
      p_key, p_hash, v_profile, v_profile_owner, v_team, p_strategy, coalesce(p_destinations, '[]'))
    on conflict do nothing returning *;
end $$;
grant execute on function af_create_run(uuid, uuid, uuid, uuid, text, text, json, text, text, text, text, json, json, integer,
  uuid, text, uuid, integer, uuid, text, text, text, uuid, uuid, text, json) to af_login;

-- As before, with where results go.
create or replace function app_retry_run(p_id uuid, p_run uuid, p_from text, p_presets json, p_overrides json, p_key text,
  p_hash text) returns boolean language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into runs (id, owner_id, playbook_id, playbook_version_id, playbook_slug, playbook_name, root_run_id, depth,
      retry_of, retry_from, inputs, query, run_context, approval_policy, invoked_by, clock, connectors, steps_total,
      retry_presets, retry_overrides, idempotency_key, idempotency_hash, profile_id, profile_owner_id, team_id, strategy,
      output_destinations)
    select p_id, owner_id, playbook_id, playbook_version_id, playbook_slug, playbook_name, p_id, 0,
      id, p_from, inputs, query, run_context, approval_policy, invoked_by, clock, connectors, steps_total,
      p_presets, p_overrides, p_key, p_hash, profile_id, profile_owner_id, team_id, strategy, output_destinations
    from runs r where id = p_run and app_why_no_retry(p_run) is null
    on conflict do nothing;
  return found;
end $$;

-- Why the caller cannot repeat a run; null: he can. A closed run for a profile is repeated by who may still run it, as long
-- as the profile has what it runs.
create function app_why_no_retry(p_run uuid) returns text language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_run record;
begin
  select r.owner_id, r.status, r.playbook_id, r.profile_id, r.team_id into v_run
    from runs r where r.id = p_run and r.owner_id = app_uid();
  return case
    when v_run.owner_id is null then 'run_not_found'
    when not af_closed(v_run.status) then 'run_not_closed'
    when v_run.profile_id is not null and not af_may_run(v_run.owner_id, v_run.profile_id, v_run.team_id)
      then 'access_revoked'
    when not exists (select from playbooks p where p.id = v_run.playbook_id and p.owner_id = v_run.owner_id)
      and not exists (select from profile_skills k
        where k.profile_id = v_run.profile_id and k.playbook_id = v_run.playbook_id and k.is_enabled)
      then 'playbook_withdrawn'
  end;
end $$;
grant execute on function app_why_no_retry(uuid) to af_app;

-- ── lists ───────────────────────────────────────────────────────────────────────────────────────
-- `GET /runs?team=`: somebody's own runs in a team, however many he has outside of it.
create index runs_owner_team on runs (owner_id, team_id, created_at, id) where team_id is not null;
create index runs_profile_owner_team on runs (profile_owner_id, team_id, created_at, id) where team_id is not null;

reset role;
