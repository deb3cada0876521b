alter table playbooks drop constraint playbooks_latest_version_id_fkey;
alter table connectors drop constraint connectors_latest_version_id_fkey;
drop table journal_entries, workspace_tables, workspaces, documents, folders, blob_chunks, blobs, decision_log,
  approval_decisions, approvals, model_calls, step_attempts, step_results, run_events, runs, connector_versions, connectors,
  playbook_versions, playbooks, users;
