-- Gives functions that run as the owner of the tables every row: they check the caller themselves.
create policy notifications_af_migrate on notifications to af_migrate
  using (true)
  with check (true);
