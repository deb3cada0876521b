-- Shows members who is in their teams. Only functions change it, since a team must keep an owner.
create policy team_members_af_app on team_members for select to af_app
  using (team_id in (select app_my_teams()));
