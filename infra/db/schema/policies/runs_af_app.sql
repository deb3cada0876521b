-- Restricts people to their own runs. A team's run is resumed only while its owner may run the profile.
create policy runs_af_app on runs to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()) and (control <> 'run' or app_may_resume(profile_id, team_id)));
