-- Creates a table with the columns of every saved row, and guards it in the same transaction.
create function app_create_workspace_table(p_workspace uuid, p_name text) returns void language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_table constant text := format('%I.%I', app_workspace_schema(p_workspace), p_name);
begin
  execute format('create table %s (_id bigint generated always as identity primary key, _run_id uuid, _step text,
    _saved_at timestamptz not null default clock_timestamp())', v_table);
  perform af_secure_workspace_table(v_table::regclass, p_workspace);
end $$;
