-- The row of a sub-playbook that goes on where another of its caller's runs ended. Gives whether it was made.
create function af_insert_repeat(p_id uuid, p_before runs, p_parent runs, p_path text, p_key text, p_from text, p_presets json,
  p_keys jsonb, p_asked boolean) returns boolean language plpgsql
  set search_path = pg_catalog, public, pg_temp as $$
begin
  if p_before.team_id is not null and not af_may_run(p_before.owner_id, p_before.profile_id, p_before.team_id) then
    raise exception 'a run is for a profile that its owner may not run' using errcode = 'insufficient_privilege';
  end if;
  insert into runs (id, owner_id, playbook_id, playbook_version_id, playbook_slug, playbook_name, parent_run_id, parent_step_path,
      root_run_id, depth, retry_of, retry_from, inputs, query, run_context, approval_policy, invoked_by, clock, connectors,
      steps_total, retry_presets, idempotency_key, idempotency_hash, profile_id, profile_owner_id, team_id, strategy,
      output_destinations, effect_root, effect_keys, asked_again)
    values (p_id, p_before.owner_id, p_before.playbook_id, p_before.playbook_version_id, p_before.playbook_slug,
      p_before.playbook_name, p_parent.id, p_path, p_parent.root_run_id, p_parent.depth + 1, p_before.id, p_from, p_before.inputs,
      p_before.query, p_before.run_context, p_before.approval_policy, p_before.invoked_by, p_before.clock, p_before.connectors,
      p_before.steps_total, p_presets, p_key, 'child', p_before.profile_id, p_before.profile_owner_id, p_before.team_id,
      p_before.strategy, p_before.output_destinations, coalesce(p_before.effect_root, p_before.id), p_keys, p_asked)
    on conflict do nothing;
  return found;
end $$;
