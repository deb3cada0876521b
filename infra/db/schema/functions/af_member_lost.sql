-- Pauses the runs that a person started for the profiles of a team which they leave.
create function af_member_lost() returns trigger language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  perform af_revoke_runs(old.team_id, null, old.user_id);
  return null;
end $$;
