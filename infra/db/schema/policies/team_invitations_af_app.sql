-- Shows people the invitations to them; a team's owners and admins read theirs through app_team_invitations.
create policy team_invitations_af_app on team_invitations for select to af_app
  using (owner_id = (select app_uid()));
