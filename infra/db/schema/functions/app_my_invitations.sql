-- Lists the caller's open invitations that are still valid.
create function app_my_invitations() returns table (id uuid, team_id uuid, team_name text, user_id uuid, handle text,
  display_name text, role text, invited_by text, created_at timestamptz) language sql
  security definer set search_path = pg_catalog, public, pg_temp as $$
  select i.id, i.team_id, t.name, u.id, u.handle, u.display_name, i.role, b.handle, i.created_at
    from team_invitations i join teams t on t.id = i.team_id join users u on u.id = i.owner_id
      join users b on b.id = i.invited_by
    where i.owner_id = app_uid() and t.deleted_at is null
      and af_gives_role(af_team_role_of(i.team_id, i.invited_by), i.role)
$$;
