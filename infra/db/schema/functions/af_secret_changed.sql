-- Deletes what was fetched with the earlier value of a secret, and what sources said about that value.
create function af_secret_changed() returns trigger language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  delete from connector_cache where owner_id = old.owner_id and credential = old.name;
  delete from connector_bindings where owner_id = old.owner_id and credential = old.name;
  if tg_op = 'DELETE' then
    delete from connector_confirmations where owner_id = old.owner_id and secret = old.name;
  end if;
  return null;
end $$;
