-- Changes columns [{name, type, added}] of a workspace's table: adds one, or widens its type.
create function app_shape_workspace_table(p_workspace uuid, p_name text, p_columns json) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
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
