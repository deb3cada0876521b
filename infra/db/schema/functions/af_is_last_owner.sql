-- Tests whether a person is the last active owner of a team. An owner whose account is not active does not count.
create function af_is_last_owner(p_team uuid, p_user uuid) returns boolean language sql
  security definer set search_path = pg_catalog, public, pg_temp as $$
  select exists (select from team_members where team_id = p_team and user_id = p_user and role = 'owner')
    and not exists (select from team_members m join users u on u.id = m.user_id and u.status = 'active'
      where m.team_id = p_team and m.user_id <> p_user and m.role = 'owner')
$$;
