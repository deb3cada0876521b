-- Names of the migrations that were applied: a process waits for those it knows.
create function af_migrations() returns setof text language plpgsql stable
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  return query select m.name::text from migrations m;
end $$;
