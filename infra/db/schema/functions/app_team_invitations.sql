-- Lists open invitations of a team, for its owners and admins.
create function app_team_invitations(p_team uuid) returns table (id uuid, team_id uuid, team_name text, user_id uuid,
  handle text, display_name text, role text, invited_by text, created_at timestamptz) language sql
  security definer set search_path = pg_catalog, public, pg_temp as $$
  select i.id, i.team_id, t.name, u.id, u.handle, u.display_name, i.role, b.handle, i.created_at
    from team_invitations i join teams t on t.id = i.team_id join users u on u.id = i.owner_id
      join users b on b.id = i.invited_by
    where i.team_id = p_team and app_team_role(p_team) in ('owner', 'admin')
$$;
