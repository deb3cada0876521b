-- Restricts people to their own sessions.
create policy sessions_af_app on sessions to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()));
