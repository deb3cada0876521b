-- Removes a member, or lets the caller leave; their shares with the team end.
create function app_remove_team_member(p_team uuid, p_user uuid, p_seen bigint) returns text language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_mine text;
  v_theirs text;
  v_version bigint;
begin
  perform af_lock_team(p_team);
  v_mine := app_team_role(p_team);
  select role, row_version into v_theirs, v_version from team_members where team_id = p_team and user_id = p_user;
  if v_mine is null then
    return 'not_found';
  elsif v_theirs is null then
    return 'member_not_found';
  elsif p_user <> app_uid() and (v_mine not in ('owner', 'admin') or v_mine = 'admin' and v_theirs in ('owner', 'admin')) then
    return 'forbidden';
  elsif af_is_last_owner(p_team, p_user) then
    return 'last_owner';
  elsif p_seen <> v_version then
    return 'stale';
  end if;
  delete from agent_team_shares where team_id = p_team and owner_id = p_user;
  delete from team_members where team_id = p_team and user_id = p_user;
  return 'ok';
end $$;
