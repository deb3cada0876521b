-- Returns the schema of a workspace that is the caller's. A client wrote its name, so only a name in our form is accepted.
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
