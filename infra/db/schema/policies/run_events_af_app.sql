-- Restricts people to events of their own runs.
create policy run_events_af_app on run_events to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()));
