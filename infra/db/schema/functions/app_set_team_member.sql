-- Adds a member by id or handle, or changes their role if it is as the caller saw it (p_seen: row_version; null: any). Admins manage
-- members and viewers only. Returns `ok`, or the reason of the refusal.
create function app_set_team_member(p_team uuid, p_user text, p_role text, p_seen bigint, out outcome text,
  out member_id uuid) language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_mine text;
  v_theirs text;
  v_version bigint;
begin
  perform af_lock_team(p_team);
  v_mine := app_team_role(p_team);
  select u.id into member_id from users u where u.id::text = lower(p_user) or u.handle = p_user
    order by (u.id::text = lower(p_user)) desc limit 1;
  select role, row_version into v_theirs, v_version from team_members where team_id = p_team and user_id = member_id;
  if v_mine is null then
    outcome := 'not_found';
  elsif v_mine not in ('owner', 'admin') then
    outcome := 'forbidden';
  elsif v_theirs is null then
    outcome := 'member_not_found';
  elsif not (af_gives_role(v_mine, p_role) and af_gives_role(v_mine, v_theirs)) then
    outcome := 'forbidden';
  elsif p_role <> 'owner' and af_is_last_owner(p_team, member_id) then
    outcome := 'last_owner';
  elsif p_seen <> v_version then
    outcome := 'stale';
  else
    update team_members set role = p_role where team_id = p_team and user_id = member_id;
    outcome := 'ok';
  end if;
end $$;
