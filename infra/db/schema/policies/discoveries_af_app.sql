-- Restricts people to their own discoveries, of runs and profiles that they see.
create policy discoveries_af_app on discoveries to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()) and app_sees_run(run_id) and app_sees_profile(profile_id));
