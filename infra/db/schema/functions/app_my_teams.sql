-- Lists the caller's teams. It runs outside of row-level security, because policies call it.
create function app_my_teams() returns setof uuid language sql
  security definer set search_path = pg_catalog, public, pg_temp as $$
  select m.team_id from team_members m join teams t on t.id = m.team_id
    where m.user_id = app_uid() and t.deleted_at is null
$$;
