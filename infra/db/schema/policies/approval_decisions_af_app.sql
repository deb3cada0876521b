-- Restricts people to decisions about their own runs.
create policy approval_decisions_af_app on approval_decisions to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()));
