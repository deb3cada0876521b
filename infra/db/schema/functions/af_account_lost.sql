-- Pauses the runs of a deactivated account before their next step, and runs of others for its profiles.
create function af_account_lost() returns trigger language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  update runs set control = 'pause', revoked_at = clock_timestamp(), updated_at = clock_timestamp()
    where (owner_id = new.id or team_id is not null and profile_owner_id = new.id)
      and control = 'run' and not af_closed(status);
  return null;
end $$;
