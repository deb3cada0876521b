-- Gives functions that run as the owner of the tables every row: they check the caller themselves.
create policy run_events_af_migrate on run_events to af_migrate
  using (true)
  with check (true);
