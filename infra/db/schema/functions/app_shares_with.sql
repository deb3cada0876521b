-- Tests whether the caller may share with a team: every member but viewers.
create function app_shares_with(p_team uuid) returns boolean language sql
  security definer set search_path = pg_catalog, public, pg_temp as $$
  select coalesce(app_team_role(p_team) in ('owner', 'admin', 'member'), false)
$$;
