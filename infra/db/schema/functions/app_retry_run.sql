-- For builds that do not say what begins anew (0026): all of it has keys of its own.
create function app_retry_run(p_id uuid, p_run uuid, p_from text, p_presets json, p_overrides json, p_key text,
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

-- For builds that do not say what begins anew (0026): all of it has keys of its own.
create function app_retry_run(p_id uuid, p_run uuid, p_from text, p_presets json, p_overrides json, p_key text, p_hash text,
  p_renewed text[]) returns boolean language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into runs (id, owner_id, playbook_id, playbook_version_id, playbook_slug, playbook_name, root_run_id, depth,
      retry_of, retry_from, inputs, query, run_context, approval_policy, invoked_by, clock, connectors, steps_total,
      retry_presets, retry_overrides, idempotency_key, idempotency_hash, profile_id, profile_owner_id, team_id, strategy,
      output_destinations, effect_root, effect_keys, asked_again)
    select p_id, owner_id, playbook_id, playbook_version_id, playbook_slug, playbook_name, p_id, 0,
      id, p_from, inputs, query, run_context, approval_policy, invoked_by, clock, connectors, steps_total,
      p_presets, p_overrides, p_key, p_hash, profile_id, profile_owner_id, team_id, strategy, output_destinations,
      coalesce(effect_root, id), af_keys_of(effect_keys, p_id, p_renewed), true
    from runs r where id = p_run and app_why_no_retry(p_run) is null
    on conflict do nothing;
  return found;
end $$;
