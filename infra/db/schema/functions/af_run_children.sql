-- Lists the children of a run in the order of their start.
create function af_run_children(p_owner uuid, p_run uuid) returns setof runs language plpgsql stable
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  return query select * from runs where parent_run_id = p_run and owner_id = p_owner order by created_at, id;
end $$;
