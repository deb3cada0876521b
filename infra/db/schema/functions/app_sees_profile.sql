-- Tests whether the caller sees a profile: their own, or one that is shared with their teams.
create function app_sees_profile(p_id uuid) returns boolean language sql
  security definer set search_path = pg_catalog, public, pg_temp as $$
  select app_owns_profile(p_id) or p_id in (select app_team_profiles())
$$;
