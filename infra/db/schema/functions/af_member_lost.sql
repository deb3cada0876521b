-- Who leaves a team loses the runs that they started for its profiles.
create function af_member_lost() returns trigger language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  perform af_revoke_runs(old.team_id, null, old.user_id);
  return null;
end $$;
