-- Rights of people: a transaction for an account takes this role. Policies say which rows, these grants which columns and functions.

grant select, insert, update, delete on
  access_tokens, monitor_watermarks, plugin_settings, profile_connectors, profile_skills
to af_app;

grant select, insert, update on
  agent_profiles, connections, connectors, documents, folders, monitors, playbooks, schedules, topics, webhooks,
  workspace_tables
to af_app;

grant select, insert, delete on
  agent_team_shares, idempotency_keys, secrets
to af_app;

grant select, insert on
  api_keys, audit_log, blob_chunks, blobs, connector_confirmations, connector_versions, decision_heads, discoveries,
  journal_entries, playbook_versions, workspaces
to af_app;

grant select on
  approval_acts, approval_approvers, approval_decisions, approvals, connector_bindings, connector_calls, decision_log,
  entity_resolutions, entity_reviews, invites, model_calls, notifications, plugins, run_events, runs, sessions,
  step_attempts, step_results, team_invitations, team_members, teams, users
to af_app;

-- Restricts changes of a row to what its owner may say: never whose it is, and nothing that only functions write.
grant update (team_file_access, team_post_access, journal_visibility, is_active, updated_at) on agent_team_shares to af_app;

grant update (revoked_at) on api_keys to af_app;

-- Leaves out the hash of the token: who reads it could try tokens.
grant select (id, approval_id, owner_id, user_id, digest, created_by, created_at, used_at) on approval_links to af_app;

grant update (confirmed_at) on connector_confirmations to af_app;

grant update (request_hash, claim_id, lease_until, status, etag, answer, created_at) on idempotency_keys to af_app;

grant update (read_at) on notifications to af_app;

-- Leaves out the hash of the password.
grant select (owner_id, changed_at) on passwords to af_app;

-- Leaves out the hash of the token.
grant select (session_id, owner_id, created_at, expires_at, used_at) on refresh_tokens to af_app;

grant update (control, updated_at, revoked_at) on runs to af_app;

grant update (ciphertext, key_id, allowed_hosts, version, rotated_at) on secrets to af_app;

grant update (revoked_at, revoked_why) on sessions to af_app;

grant update (released, resolution, resolved_at) on step_attempts to af_app;

grant update (name, description, updated_at) on teams to af_app;

grant update (slug, name, deleted_at) on workspaces to af_app;

-- Lists the functions that check the caller (app_uid) by themselves.
grant execute on function
  af_closed, app_answer_invitation, app_approval_acts, app_approval_paused, app_approvers, app_asked_approvals,
  app_children_ended, app_comment_approval, app_connector_health, app_copy_results, app_create_approval_link,
  app_create_team, app_create_workspace, app_create_workspace_table, app_decider, app_delegate_approval,
  app_delete_team, app_edit_approval, app_in_team, app_invite_to_team, app_key_workspace_table, app_may_resume,
  app_my_invitations, app_my_teams, app_narrow_share, app_owns_connection, app_owns_monitor, app_owns_profile,
  app_people, app_profile_connectors, app_profile_playbooks, app_recorded, app_remove_team_member,
  app_retry_run, app_sees_approval, app_sees_connector, app_sees_connector_version, app_sees_folder, app_sees_playbook,
  app_sees_playbook_version, app_sees_plugin, app_sees_profile, app_sees_run, app_sees_workspace, app_set_team_member,
  app_shape_workspace_table, app_shares_with, app_step, app_team_connectors, app_team_invitations, app_team_people,
  app_team_playbooks, app_team_profiles, app_team_role, app_team_sight, app_why_no_retry, app_withdraw_invitation
to af_app;
