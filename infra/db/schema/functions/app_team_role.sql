-- Returns the caller's role in a team; null: not a member.
create function app_team_role(p_team uuid) returns text language sql
  security definer set search_path = pg_catalog, public, pg_temp as $$
  select m.role from team_members m join teams t on t.id = m.team_id
    where m.team_id = p_team and m.user_id = app_uid() and t.deleted_at is null
$$;
