-- Accepts or declines an invitation. The person who wrote it must still have the right to.
create function app_answer_invitation(p_id uuid, p_accept boolean, out outcome text, out team_id uuid) language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_column
declare
  v_invitation team_invitations;
begin
  select i.team_id into team_id from team_invitations i where i.id = p_id and i.owner_id = app_uid();
  perform af_lock_team(team_id);
  delete from team_invitations i where i.id = p_id and i.owner_id = app_uid() returning * into v_invitation;
  if v_invitation.id is null then
    outcome := 'invitation_not_found';
  elsif not p_accept then
    outcome := 'ok';
  elsif not coalesce(af_gives_role(af_team_role_of(v_invitation.team_id, v_invitation.invited_by), v_invitation.role), false) then
    outcome := 'invitation_not_found';
  else
    insert into team_members (team_id, user_id, role) values (v_invitation.team_id, app_uid(), v_invitation.role)
      on conflict do nothing;
    outcome := 'ok';
  end if;
end $$;
