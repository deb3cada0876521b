-- Rights of the platform's own work, which is done for no single account: setup, accounts, keys, reconciler, sweeper.

grant select, insert on
  api_keys, audit_log, blob_chunks, blobs, invites, master_keys, one_time_links, users
to af_system;

grant select on
  approval_decisions, approvals, runs, secrets, sessions
to af_system;

grant select, insert, delete on
  import_dirs, signing_keys
to af_system;

grant select, insert, update on
  plugins
to af_system;

grant update (revoked_at) on api_keys to af_system;

grant update (heard_at) on approval_decisions to af_system;

grant update (revoked_at) on invites to af_system;

grant update (retired_at) on master_keys to af_system;

grant update (used_at) on one_time_links to af_system;

-- Leaves out the hash of the password.
grant select (owner_id, changed_at) on passwords to af_system;

grant update (status, status_code, status_message, covered, waits, updated_at) on runs to af_system;

grant update (ciphertext, key_id) on secrets to af_system;

grant update (revoked_at, revoked_why) on sessions to af_system;

grant update (retired_at) on signing_keys to af_system;

grant update (handle, display_name, status, scopes, deactivated_at) on users to af_system;

grant execute on function
  af_closed, af_keep_answer, af_lock_starts, af_owner_room
to af_system;
