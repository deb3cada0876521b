-- Returns the run that an earlier request with the same idempotency key made.
create function af_run_by_key(p_owner uuid, p_key text) returns setof runs language plpgsql stable rows 1
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  return query select * from runs where owner_id = p_owner and idempotency_key = p_key;
end $$;
