-- Inserts a run; no row is returned where one with this id or key exists. Everything that it refers to must be its owner's. `p_run`: by
-- column, documents as JSON text; `p_inputs`: its inputs, apart because they are large; `p_watch_seconds`: how long its end is announced;
-- `p_entry`: audit entry for a new row.
create function af_insert_run(p_run json, p_watch_seconds integer, p_entry json default null, p_inputs json default null)
  returns setof runs
language plpgsql rows 1 security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_given constant runs := af_given_run(p_run);
  v_run runs := v_given;
  v_version_owner uuid;
begin
  select owner_id into v_version_owner from playbook_versions
    where id = v_given.playbook_version_id and playbook_id = v_given.playbook_id;
  if v_given.parent_run_id is not null then
    select profile_id, team_id, af_child_keys(effect_root, effect_keys, v_run.parent_step_path)
      into v_run.profile_id, v_run.team_id, v_run.effect_root from runs where id = v_given.parent_run_id;
  end if;
  if v_run.profile_id is not null then
    if (v_given.parent_run_id is null or v_run.team_id is not null)
      and not af_may_run(v_run.owner_id, v_run.profile_id, v_run.team_id) then
      raise exception 'a run is for a profile that its owner may not run' using errcode = 'insufficient_privilege';
    end if;
    select owner_id into v_run.profile_owner_id from agent_profiles where id = v_run.profile_id;
  end if;
  if v_version_owner is null
    or v_version_owner <> coalesce(v_run.profile_owner_id, v_run.owner_id)
    or v_run.profile_owner_id <> v_run.owner_id and not exists (select from profile_skills
      where profile_id = v_run.profile_id and playbook_id = v_run.playbook_id and is_enabled)
    or v_run.profile_owner_id <> v_run.owner_id and exists (select from json_each_text(v_run.connectors) c
      where not exists (select from connector_versions v join profile_connectors b on b.connector_id = v.connector_id
        where v.id::text = c.value and v.owner_id = v_run.profile_owner_id and b.profile_id = v_run.profile_id and b.is_enabled))
    or v_given.profile_id is null and v_given.team_id is not null
    or v_run.parent_run_id is not null and not exists (select from runs where id = v_run.parent_run_id and owner_id = v_run.owner_id)
    or v_run.root_run_id <> v_run.id and not exists (select from runs where id = v_run.root_run_id and owner_id = v_run.owner_id)
    or v_run.retry_of is not null and not exists (select from runs where id = v_run.retry_of and owner_id = v_run.owner_id) then
    raise exception 'a run refers to what its owner does not see' using errcode = 'insufficient_privilege';
  end if;
  v_run.inputs := coalesce(p_inputs, v_run.inputs);
  v_run.watched_until := clock_timestamp() + make_interval(secs => p_watch_seconds);
  if af_put_run(v_run) then
    if p_entry is not null then
      perform af_audit(p_entry);
    end if;
    return query select * from runs where id = v_run.id;
  end if;
end $$;
