-- Withdraws an invitation. Returns `ok`, or the code of the refusal.
create function app_withdraw_invitation(p_team uuid, p_id uuid) returns text language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_mine text;
  v_role text;
begin
  perform af_lock_team(p_team);
  v_mine := app_team_role(p_team);
  select role into v_role from team_invitations where id = p_id and team_id = p_team;
  if v_mine is null then
    return 'not_found';
  elsif v_mine not in ('owner', 'admin') then
    return 'forbidden';
  elsif v_role is null then
    return 'invitation_not_found';
  elsif not af_gives_role(v_mine, v_role) then
    return 'forbidden';
  end if;
  delete from team_invitations where id = p_id;
  return 'ok';
end $$;
