-- Invites a person by id or handle; a second time changes the role. Returns `ok`, or the reason of the refusal.
create function app_invite_to_team(p_team uuid, p_user text, p_role text, out outcome text, out invitation_id uuid)
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_mine text;
  v_user uuid;
begin
  perform af_lock_team(p_team);
  v_mine := app_team_role(p_team);
  if v_mine is null then
    outcome := 'not_found';
    return;
  elsif v_mine not in ('owner', 'admin') or not af_gives_role(v_mine, p_role) then
    outcome := 'forbidden';
    return;
  end if;
  select u.id into v_user from users u where (u.id::text = lower(p_user) or u.handle = p_user) and u.status = 'active'
    order by (u.id::text = lower(p_user)) desc limit 1;
  if v_user is null then
    outcome := 'user_not_found';
    return;
  elsif exists (select from team_members where team_id = p_team and user_id = v_user) then
    outcome := 'already_member';
    return;
  end if;
  insert into team_invitations as i (owner_id, team_id, role, invited_by) values (v_user, p_team, p_role, app_uid())
    on conflict (team_id, owner_id) do update set role = excluded.role, invited_by = excluded.invited_by
      where af_gives_role(v_mine, i.role)
    returning i.id into invitation_id;
  outcome := case when invitation_id is null then 'forbidden' else 'ok' end;
  if not exists (select from notifications where owner_id = v_user and kind = 'team.invited' and body = p_team::text) then
    insert into notifications (id, owner_id, kind, title, body)
      select gen_random_uuid(), v_user, 'team.invited', left(t.name, 200), p_team::text from teams t where t.id = p_team;
  end if;
end $$;
