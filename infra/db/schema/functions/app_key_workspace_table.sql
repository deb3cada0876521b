-- Creates the unique index of an upsert key, so that rows with the same values become one.
create function app_key_workspace_table(p_workspace uuid, p_name text, p_index text, p_columns text[]) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  execute format('create unique index if not exists %I on %I.%I (%s)', p_index, app_workspace_schema(p_workspace), p_name,
    (select string_agg(format('%I', c.name), ', ' order by c.no) from unnest(p_columns) with ordinality as c (name, no)));
end $$;
