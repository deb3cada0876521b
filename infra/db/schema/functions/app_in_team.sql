-- Tests whether the caller is in a team. Null is allowed: it refers to no team.
create function app_in_team(p_team uuid) returns boolean language sql
  security definer set search_path = pg_catalog, public, pg_temp as $$
  select p_team is null or app_team_role(p_team) is not null
$$;
