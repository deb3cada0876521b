-- Lists the applied migrations: a process waits for those that it knows.
create function af_migrations() returns setof text language plpgsql stable
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  return query select m.name::text from migrations m;
end $$;
