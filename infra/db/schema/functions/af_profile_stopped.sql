-- Pauses runs of others for a profile that is switched off, as after a lost share.
create function af_profile_stopped() returns trigger language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  update runs set control = 'pause', revoked_at = clock_timestamp(), updated_at = clock_timestamp()
    where profile_id = new.id and team_id is not null and control = 'run' and not af_closed(status);
  return null;
end $$;
