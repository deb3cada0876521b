-- Restricts people to their own profiles; agent_profiles_af_app_team adds the shared ones.
create policy agent_profiles_af_app on agent_profiles to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()));
