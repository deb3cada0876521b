do $$
declare
  v record;
begin
  -- Tables of workspaces stay af_migrate's: whoever migrates is a member of it.
  for v in select p.polname, p.polrelid::regclass as name from pg_policy p loop
    execute format('drop policy %I on %s', v.polname, v.name);
    execute format('alter table %s disable row level security', v.name);
    execute format('alter table %s no force row level security', v.name);
    execute format('revoke all on %s from af_app, af_system', v.name);
  end loop;
  for v in select p.oid::regprocedure as name from pg_proc p where p.pronamespace = 'public'::regnamespace
    and (p.proname like 'app\_sees\_%' or p.proname in ('app_workspace_schema', 'app_create_workspace',
      'af_secure_workspace_table', 'app_create_workspace_table', 'app_shape_workspace_table', 'app_key_workspace_table',
      'af_run', 'af_run_to_work', 'af_run_by_key', 'af_run_children', 'af_run_started', 'af_create_run',
      'af_playbook_to_start', 'af_latest_connectors', 'af_record_model_call', 'af_log_pages', 'af_open_log',
      'af_renew_watch', 'af_approval', 'af_approval_waits', 'af_decision', 'af_receive_decision', 'af_put_blob',
      'af_read_blob', 'af_has_blob', 'app_recorded', 'app_step', 'app_retry_run', 'app_copy_results', 'af_migrations'))
  loop
    execute format('drop function %s', v.name);
  end loop;
  for v in select p.oid::regprocedure as name from pg_proc p
    where p.pronamespace = 'public'::regnamespace and p.proname like 'af\_%' loop
    execute format('alter function %s security invoker', v.name);
    execute format('alter function %s reset search_path', v.name);
    execute format('revoke execute on function %s from af_login, af_app, af_system', v.name);
  end loop;
  execute format('grant temporary on database %I to public', current_database());
  execute format('revoke create on database %I from af_migrate', current_database());
end $$;
alter default privileges for role af_migrate grant execute on functions to public;
revoke select on migrations from af_migrate;
