-- Nothing: a run with this id or key is there. What the run refers to must be its owner's.
create function af_create_run(p_run json) returns setof runs
language plpgsql rows 1 security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_new constant af_new_run := json_populate_record(null::af_new_run, p_run);
  v_version_owner uuid;
  v_profile_owner uuid;
  v_profile uuid;
  v_team uuid;
begin
  select owner_id into v_version_owner from playbook_versions where id = v_new.version and playbook_id = v_new.playbook;
  v_profile := v_new.profile;
  v_team := v_new.team;
  if v_new.parent is not null then
    select profile_id, team_id into v_profile, v_team from runs where id = v_new.parent;
  end if;
  if v_profile is not null then
    if (v_new.parent is null or v_team is not null) and not af_may_run(v_new.owner, v_profile, v_team) then
      raise exception 'a run is for a profile that its owner may not run' using errcode = 'insufficient_privilege';
    end if;
    select owner_id into v_profile_owner from agent_profiles where id = v_profile;
  end if;
  if v_version_owner is null
    or v_version_owner <> coalesce(v_profile_owner, v_new.owner)
    or v_profile_owner <> v_new.owner and not exists (select from profile_skills
      where profile_id = v_profile and playbook_id = v_new.playbook and is_enabled)
    or v_profile_owner <> v_new.owner and exists (select from json_each_text(v_new.connectors::json) c
      where not exists (select from connector_versions v join profile_connectors b on b.connector_id = v.connector_id
        where v.id::text = c.value and v.owner_id = v_profile_owner and b.profile_id = v_profile and b.is_enabled))
    or v_new.profile is null and v_new.team is not null
    or v_new.parent is not null and not exists (select from runs where id = v_new.parent and owner_id = v_new.owner)
    or v_new.root <> v_new.id and not exists (select from runs where id = v_new.root and owner_id = v_new.owner)
    or v_new.retry_of is not null and not exists (select from runs where id = v_new.retry_of and owner_id = v_new.owner) then
    raise exception 'a run refers to what its owner does not see' using errcode = 'insufficient_privilege';
  end if;
  return query
    insert into runs (id, owner_id, playbook_id, playbook_version_id, playbook_slug, playbook_name, inputs, query, run_context,
      approval_policy, invoked_by, clock, connectors, steps_total, parent_run_id, parent_step_path, root_run_id, depth,
      retry_of, retry_from, idempotency_key, idempotency_hash, profile_id, profile_owner_id, team_id, strategy,
      output_destinations)
    values (v_new.id, v_new.owner, v_new.playbook, v_new.version, v_new.slug, v_new.name, v_new.inputs::json, v_new.query,
      v_new.run_context, v_new.approval_policy,
      v_new.invoked_by, v_new.clock::json, v_new.connectors::json, v_new.steps_total, v_new.parent, v_new.parent_path,
        v_new.root, v_new.depth, v_new.retry_of, v_new.retry_from,
      v_new.key, v_new.hash, v_profile, v_profile_owner, v_team, v_new.strategy, coalesce(v_new.destinations::json, '[]'))
    on conflict do nothing returning *;
end $$;
