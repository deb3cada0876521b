-- Restricts people to their own resolutions.
create policy entity_resolutions_af_app on entity_resolutions to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()));
