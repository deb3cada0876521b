-- Restricts people to their own decision log.
create policy decision_log_af_app on decision_log to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()));
