-- Nothing: a run with this id or key is there. What the run refers to must be its owner's.
create function af_create_run(p_run json) returns setof runs
language plpgsql rows 1 security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_new constant af_new_run := json_populate_record(null::af_new_run, p_run);
  v_version_owner uuid;
  v_profile_owner uuid;
  v_profile uuid;
  v_team uuid;
  v_run runs;
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
  v_run.id := v_new.id;
  v_run.owner_id := v_new.owner;
  v_run.playbook_id := v_new.playbook;
  v_run.playbook_version_id := v_new.version;
  v_run.playbook_slug := v_new.slug;
  v_run.playbook_name := v_new.name;
  v_run.parent_run_id := v_new.parent;
  v_run.parent_step_path := v_new.parent_path;
  v_run.root_run_id := v_new.root;
  v_run.depth := v_new.depth;
  v_run.retry_of := v_new.retry_of;
  v_run.retry_from := v_new.retry_from;
  v_run.inputs := v_new.inputs::json;
  v_run.query := v_new.query;
  v_run.run_context := v_new.run_context;
  v_run.approval_policy := v_new.approval_policy;
  v_run.invoked_by := v_new.invoked_by;
  v_run.clock := v_new.clock::json;
  v_run.connectors := v_new.connectors::json;
  v_run.steps_total := v_new.steps_total;
  v_run.idempotency_key := v_new.key;
  v_run.idempotency_hash := v_new.hash;
  v_run.profile_id := v_profile;
  v_run.profile_owner_id := v_profile_owner;
  v_run.team_id := v_team;
  v_run.strategy := v_new.strategy;
  v_run.output_destinations := coalesce(v_new.destinations::json, '[]');
  v_run.asked_again := false;
  v_run.watched_until := clock_timestamp() + make_interval(secs => v_new.watch_seconds);
  if af_put_run(v_run) then
    return query select * from runs where id = v_run.id;
  end if;
end $$;
