-- Nothing: a run with this id or key is there. What the run refers to must be its owner's.
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
