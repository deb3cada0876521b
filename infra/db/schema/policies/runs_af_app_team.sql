-- Shows a team's runs to the owner of the profile, and to members as far as the share allows (app_team_sight).
create policy runs_af_app_team on runs for select to af_app
  using (team_id is not null and (profile_owner_id = (select app_uid())
    or (profile_id, team_id, run_context in ('background', 'scheduled', 'monitor')) in (select * from app_team_sight())));
