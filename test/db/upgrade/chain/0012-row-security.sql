-- Row-level security: the last wall between owners. 0012-owned-calls.sql has the calls that go round it, each for one
-- owner or one run.
--
--   af_app     sees and writes the rows of app_uid(); what only the platform may write, it can only read
--   af_system  sees what the platform's loops need, of everybody
--   af_migrate owns the tables: the functions run as it, its policies are `true`
--   af_login   has no right on any table
--
-- A policy looks up another table only through app_sees_*: they run as af_migrate, so no policy reads a table whose policy
-- reads back.

-- ── what the connection's own rights are needed for ─────────────────────────────────────────────
do $$
declare
  v record;
begin
  execute format('grant create on database %I to af_migrate', current_database());
  -- A temporary table would stand in for a real one in whatever looks its tables up by name.
  execute format('revoke temporary on database %I from public', current_database());
  for v in select n.nspname as schema, c.oid::regclass as name from pg_namespace n
    join workspaces w on w.schema_name = n.nspname
    left join pg_class c on c.relnamespace = n.oid and c.relkind = 'r'
  loop
    execute format('alter schema %I owner to af_migrate', v.schema);
    if v.name is not null then
      execute format('alter table %s owner to af_migrate', v.name);
    end if;
  end loop;
end $$;
grant select on migrations to af_migrate;

set local role af_migrate;
alter default privileges for role af_migrate revoke execute on functions from public;

-- ── what the caller may refer to ────────────────────────────────────────────────────────────────
-- Null refers to nothing. Deleted rows count: what pins them goes on. Volatile, each looks with a snapshot of its own: a row that
-- an update had to wait for may refer to one that is younger than the statement.
create function app_sees_run(p_id uuid) returns boolean language sql as $$
  select p_id is null or exists (select from runs where id = p_id and owner_id = app_uid())
$$;
create function app_sees_playbook(p_id uuid) returns boolean language sql as $$
  select p_id is null or exists (select from playbooks where id = p_id and owner_id = app_uid())
$$;
create function app_sees_playbook_version(p_id uuid, p_playbook uuid) returns boolean language sql as $$
  select p_id is null or exists (
    select from playbook_versions where id = p_id and playbook_id = p_playbook and owner_id = app_uid())
$$;
create function app_sees_connector(p_id uuid) returns boolean language sql as $$
  select p_id is null or exists (select from connectors where id = p_id and owner_id = app_uid())
$$;
create function app_sees_connector_version(p_id uuid, p_connector uuid) returns boolean language sql as $$
  select p_id is null or exists (
    select from connector_versions where id = p_id and connector_id = p_connector and owner_id = app_uid())
$$;
create function app_sees_folder(p_id uuid) returns boolean language sql as $$
  select p_id is null or exists (select from folders where id = p_id and owner_id = app_uid())
$$;
create function app_sees_workspace(p_id uuid) returns boolean language sql as $$
  select p_id is null or exists (select from workspaces where id = p_id and owner_id = app_uid())
$$;

-- ── policies ────────────────────────────────────────────────────────────────────────────────────
do $$
declare
  v_table text;
  v_check text;
  v_owned constant json := json_build_object(
    'playbooks', 'app_sees_playbook_version(latest_version_id, id)',
    'playbook_versions', 'app_sees_playbook(playbook_id)',
    'connectors', 'app_sees_connector_version(latest_version_id, id)',
    'connector_versions', 'app_sees_connector(connector_id)',
    'runs', 'true', 'run_events', 'true', 'step_results', 'true', 'step_attempts', 'true', 'model_calls', 'true',
    'approvals', 'true', 'approval_decisions', 'true', 'decision_log', 'true',
    'folders', 'app_sees_folder(parent_id)',
    'documents', 'app_sees_folder(folder_id) and app_sees_run(run_id)',
    'workspaces', 'true',
    'workspace_tables', 'app_sees_workspace(workspace_id)',
    'journal_entries', 'app_sees_run(run_id) and app_sees_playbook(playbook_id)');
begin
  for v_table, v_check in select * from json_each_text(v_owned) loop
    execute format('alter table %I enable row level security', v_table);
    execute format('alter table %I force row level security', v_table);
    execute format('create policy %I on %I to af_migrate using (true) with check (true)', v_table || '_af_migrate', v_table);
    -- The sub-select is looked up once a statement, not once a row.
    execute format('create policy %I on %I to af_app using (owner_id = (select app_uid()))
      with check (owner_id = (select app_uid()) and %s)', v_table || '_af_app', v_table, v_check);
  end loop;
end $$;

create policy runs_af_system on runs to af_system using (true) with check (true);
create policy approvals_af_system on approvals for select to af_system using (true);
create policy approval_decisions_af_system on approval_decisions for select to af_system using (true);

alter table users enable row level security;
alter table users force row level security;
create policy users_af_migrate on users to af_migrate using (true) with check (true);
create policy users_af_app on users for select to af_app using (id = (select app_uid()));

-- The nil scope holds parts of workflow histories, which belong to the platform.
alter table blobs enable row level security;
alter table blobs force row level security;
create policy blobs_af_migrate on blobs to af_migrate using (true) with check (true);
create policy blobs_af_app on blobs to af_app using (scope = (select app_uid())) with check (scope = (select app_uid()));
create policy blobs_af_system on blobs to af_system
  using (scope = '00000000-0000-0000-0000-000000000000') with check (scope = '00000000-0000-0000-0000-000000000000');
alter table blob_chunks enable row level security;
alter table blob_chunks force row level security;
create policy blob_chunks_af_migrate on blob_chunks to af_migrate using (true) with check (true);
create policy blob_chunks_af_app on blob_chunks to af_app
  using (scope = (select app_uid())) with check (scope = (select app_uid()));
create policy blob_chunks_af_system on blob_chunks to af_system
  using (scope = '00000000-0000-0000-0000-000000000000') with check (scope = '00000000-0000-0000-0000-000000000000');

-- ── rights ──────────────────────────────────────────────────────────────────────────────────────
grant select on users, runs, run_events, step_results, step_attempts, model_calls, approvals, approval_decisions,
  decision_log to af_app;
grant select, insert on playbook_versions, connector_versions, journal_entries, blobs, blob_chunks to af_app;
grant select, insert, update on playbooks, connectors, folders, documents, workspace_tables to af_app;
grant select, insert, update (slug, name, deleted_at) on workspaces to af_app;
grant update (control, updated_at) on runs to af_app;
grant update (resolution, released) on step_attempts to af_app;
grant select on runs, approvals, approval_decisions to af_system;
grant update (status, status_code, status_message, waits, covered, updated_at) on runs to af_system;
grant select, insert on blobs, blob_chunks to af_system;

-- ── tables of workspaces ────────────────────────────────────────────────────────────────────────
-- A workspace's schema, if it is the caller's. The name was written by a client: only one of ours becomes a schema.
create function app_workspace_schema(p_workspace uuid) returns text language plpgsql stable as $$
declare
  v_schema text;
begin
  select schema_name into v_schema from workspaces where id = p_workspace and owner_id = app_uid();
  if v_schema is null or v_schema !~ '^ws_[0-9a-f]{32}$' then
    raise exception 'there is no such workspace' using errcode = 'insufficient_privilege';
  end if;
  return v_schema;
end $$;

create function app_create_workspace(p_workspace uuid) returns void language plpgsql as $$
declare
  v_schema constant text := app_workspace_schema(p_workspace);
begin
  execute format('create schema if not exists %I', v_schema);
  execute format('grant usage on schema %I to af_app', v_schema);
end $$;

-- Rows of a workspace's table are those of its owner, whoever that is by then.
create function af_secure_workspace_table(p_table regclass, p_workspace uuid) returns void language plpgsql as $$
begin
  execute format('alter table %s enable row level security', p_table);
  execute format('alter table %s force row level security', p_table);
  execute format('create policy workspace_af_migrate on %s to af_migrate using (true) with check (true)', p_table);
  execute format('create policy workspace_af_app on %s to af_app using ((select app_sees_workspace(%L)))
    with check ((select app_sees_workspace(%L)))', p_table, p_workspace, p_workspace);
  execute format('grant select, insert, update, delete on %s to af_app', p_table);
end $$;

create function app_create_workspace_table(p_workspace uuid, p_name text) returns void language plpgsql as $$
declare
  v_table constant text := format('%I.%I', app_workspace_schema(p_workspace), p_name);
begin
  execute format('create table %s (_id bigint generated always as identity primary key, _run_id uuid, _step text,
    _saved_at timestamptz not null default clock_timestamp())', v_table);
  perform af_secure_workspace_table(v_table::regclass, p_workspace);
end $$;

-- Columns [{name, type, added}]: a new one, or a type that holds more.
create function app_shape_workspace_table(p_workspace uuid, p_name text, p_columns json) returns void
language plpgsql as $$
declare
  v_clauses text;
begin
  if exists (select from json_to_recordset(p_columns) as c (type text)
      where c.type is null or c.type not in ('text', 'bigint', 'numeric', 'boolean', 'date', 'jsonb')) then
    raise exception 'a column of a workspace has no such type' using errcode = 'invalid_parameter_value';
  end if;
  select string_agg(case when c.added then format('add column %I %s', c.name, c.type)
      else format('alter column %I type %s using %I::%s', c.name, c.type, c.name, c.type) end, ', ')
    into v_clauses from json_to_recordset(p_columns) as c (name text, type text, added boolean);
  if v_clauses is not null then
    execute format('alter table %I.%I %s', app_workspace_schema(p_workspace), p_name, v_clauses);
  end if;
end $$;

-- Rows with one value of these columns become one: the index under an upsert key.
create function app_key_workspace_table(p_workspace uuid, p_name text, p_index text, p_columns text[]) returns void
language plpgsql as $$
begin
  execute format('create unique index if not exists %I on %I.%I (%s)', p_index, app_workspace_schema(p_workspace), p_name,
    (select string_agg(format('%I', c.name), ', ' order by c.no) from unnest(p_columns) with ordinality as c (name, no)));
end $$;

do $$
declare
  v record;
begin
  for v in select w.id, w.schema_name, c.oid::regclass as name from workspaces w
    join pg_namespace n on n.nspname = w.schema_name
    left join pg_class c on c.relnamespace = n.oid and c.relkind = 'r'
  loop
    execute format('grant usage on schema %I to af_app', v.schema_name);
    if v.name is not null then
      perform af_secure_workspace_table(v.name, v.id);
    end if;
  end loop;
end $$;
