-- Gives functions that run as the owner of the tables every row: they check the caller themselves.
create policy approval_links_af_migrate on approval_links to af_migrate
  using (true)
  with check (true);
