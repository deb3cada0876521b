-- Lists the people of a team by name, for its members: the rows of users themselves are closed to them.
create function app_team_people(p_team uuid) returns table (user_id uuid, handle text, display_name text, role text,
  row_version bigint, created_at timestamptz) language sql
  security definer set search_path = pg_catalog, public, pg_temp as $$
  select m.user_id, u.handle, u.display_name, m.role, m.row_version, m.created_at
    from team_members m join users u on u.id = m.user_id
    where m.team_id = p_team and app_team_role(p_team) is not null
    order by m.created_at, m.user_id
$$;
