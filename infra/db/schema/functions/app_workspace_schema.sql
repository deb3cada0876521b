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
