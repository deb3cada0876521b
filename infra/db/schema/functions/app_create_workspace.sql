-- Creates the schema for the tables of a workspace.
create function app_create_workspace(p_workspace uuid) returns void language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_schema constant text := app_workspace_schema(p_workspace);
begin
  execute format('create schema if not exists %I', v_schema);
  execute format('grant usage on schema %I to af_app', v_schema);
end $$;
