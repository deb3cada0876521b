-- Returns a run of any owner: the worker compares it with what a workflow claims.
create function af_run_to_work(p_run uuid) returns setof runs language plpgsql stable rows 1
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  return query select * from runs where id = p_run;
end $$;
