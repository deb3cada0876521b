-- Restricts people to attempts of their own runs.
create policy step_attempts_af_app on step_attempts to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()));
