-- Returns a run of one owner.
create function af_run(p_owner uuid, p_run uuid) returns setof runs language plpgsql stable rows 1
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  return query select * from runs where id = p_run and owner_id = p_owner;
end $$;
