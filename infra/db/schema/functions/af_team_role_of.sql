-- Returns the role of an active person in an existing team; null: none. It runs outside of row-level security, because policies call it.
create function af_team_role_of(p_team uuid, p_user uuid) returns text language sql
  security definer set search_path = pg_catalog, public, pg_temp as $$
  select m.role from team_members m join teams t on t.id = m.team_id join users u on u.id = m.user_id
    where m.team_id = p_team and m.user_id = p_user and t.deleted_at is null and u.status = 'active'
$$;
