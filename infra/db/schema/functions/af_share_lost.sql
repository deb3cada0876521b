-- Pauses a team's runs of a profile that is no longer shared with it.
create function af_share_lost() returns trigger language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  perform af_revoke_runs(old.team_id, old.profile_id, null);
  return null;
end $$;
