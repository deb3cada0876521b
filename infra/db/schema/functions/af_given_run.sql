-- Written by `npm run schema` from RUN_START in infra/db/stores/run-types.ts and the table.
-- Takes the columns that a caller may give from a record (documents as JSON text), and ignores all others.
create function af_given_run(p_run json) returns runs language plpgsql stable
  set search_path = pg_catalog, public, pg_temp as $$
declare
  v_given constant runs := json_populate_record(null::runs, p_run);
  v_run runs;
begin
  v_run.id := v_given.id;
  v_run.playbook_id := v_given.playbook_id;
  v_run.playbook_version_id := v_given.playbook_version_id;
  v_run.playbook_slug := v_given.playbook_slug;
  v_run.playbook_name := v_given.playbook_name;
  v_run.inputs := (v_given.inputs #>> '{}')::json;
  v_run.run_context := v_given.run_context;
  v_run.approval_policy := v_given.approval_policy;
  v_run.clock := (v_given.clock #>> '{}')::json;
  v_run.query := v_given.query;
  v_run.invoked_by := v_given.invoked_by;
  v_run.connectors := (v_given.connectors #>> '{}')::json;
  v_run.steps_total := v_given.steps_total;
  v_run.strategy := v_given.strategy;
  v_run.output_destinations := (v_given.output_destinations #>> '{}')::json;
  v_run.owner_id := v_given.owner_id;
  v_run.parent_run_id := v_given.parent_run_id;
  v_run.parent_step_path := v_given.parent_step_path;
  v_run.root_run_id := v_given.root_run_id;
  v_run.depth := v_given.depth;
  v_run.retry_of := v_given.retry_of;
  v_run.retry_from := v_given.retry_from;
  v_run.profile_id := v_given.profile_id;
  v_run.team_id := v_given.team_id;
  v_run.idempotency_key := v_given.idempotency_key;
  v_run.idempotency_hash := v_given.idempotency_hash;
  return v_run;
end $$;
