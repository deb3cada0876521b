-- Pauses a team's runs of a profile and a person (null: of all).
create function af_revoke_runs(p_team uuid, p_profile uuid, p_user uuid) returns void language sql
  security definer set search_path = pg_catalog, public, pg_temp as $$
  update runs set control = 'pause', revoked_at = clock_timestamp(), updated_at = clock_timestamp()
    where team_id = p_team and (p_profile is null or profile_id = p_profile) and (p_user is null or owner_id = p_user)
      and control = 'run' and not af_closed(status)
$$;
