-- Restricts people to requests of their own runs.
create policy approvals_af_app on approvals to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()));
