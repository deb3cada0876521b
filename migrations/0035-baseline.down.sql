-- Roles belong to the server: they stay.
drop table
  notifications, approval_links, approval_decisions, approval_approvers, approval_acts, model_calls,
  journal_entries, entity_reviews, entity_resolutions, documents, discoveries, approvals, runs,
  monitor_watermarks, workspace_tables, topics, team_members, team_invitations, schedules, refresh_tokens,
  profile_skills, profile_connectors, plugin_settings, playbook_versions, monitors, connector_versions,
  agent_team_shares, workspaces, webhooks, teams, sessions, secrets, plugins, playbooks, passwords,
  one_time_links, invites, idempotency_keys, folders, decision_heads, connectors, connector_slots,
  connector_confirmations, connector_calls, connector_cache, connector_buckets, connector_bucket_use,
  connector_breakers, connector_bindings, connector_askers, connections, blob_chunks, audit_log, api_keys,
  agent_profiles, access_tokens, users, step_results, step_attempts, signing_keys, run_events, master_keys,
  login_attempts, decision_log, blobs;
alter default privileges for role af_migrate grant execute on functions to public;
revoke select on migrations from af_migrate;
revoke usage on schema public from af_login, af_app, af_system;
revoke usage, create on schema public from af_migrate;
