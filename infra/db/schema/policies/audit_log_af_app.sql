-- Restricts people to entries about what they did; the grants allow no update and no delete.
create policy audit_log_af_app on audit_log to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()));
