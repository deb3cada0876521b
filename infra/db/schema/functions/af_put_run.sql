-- Written by `npm run schema` from RUN_START in infra/db/stores/run-types.ts and the table.
-- Inserts every row of `runs`, with all that a run has at its start. False: a run with this id or key exists. It returns no row: a kept
-- plan knows the columns of a function's rows as they were, and a later version may add a column while this process runs.
create function af_put_run(p_new runs) returns boolean language plpgsql
  set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into runs (
      id, playbook_id, playbook_version_id, playbook_slug, playbook_name, inputs, run_context, approval_policy, clock,
      query, invoked_by, connectors, steps_total, strategy, output_destinations, owner_id, parent_run_id,
      parent_step_path, root_run_id, depth, retry_of, retry_from, profile_id, team_id, idempotency_key,
      idempotency_hash, profile_owner_id, retry_presets, retry_overrides, effect_root, effect_keys, asked_again,
      watched_until)
    values (
      p_new.id, p_new.playbook_id, p_new.playbook_version_id, p_new.playbook_slug, p_new.playbook_name, p_new.inputs,
      p_new.run_context, p_new.approval_policy, p_new.clock, p_new.query, coalesce(p_new.invoked_by, 'api'),
      coalesce(p_new.connectors, '{}'), coalesce(p_new.steps_total, 0), p_new.strategy,
      coalesce(p_new.output_destinations, '[]'), p_new.owner_id, p_new.parent_run_id, p_new.parent_step_path,
      p_new.root_run_id, coalesce(p_new.depth, 0), p_new.retry_of, p_new.retry_from, p_new.profile_id, p_new.team_id,
      p_new.idempotency_key, p_new.idempotency_hash, p_new.profile_owner_id, p_new.retry_presets, p_new.retry_overrides,
      p_new.effect_root, p_new.effect_keys, coalesce(p_new.asked_again, false), p_new.watched_until)
    on conflict do nothing;
  return found;
end $$;
