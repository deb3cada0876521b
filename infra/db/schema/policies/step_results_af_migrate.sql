-- Gives functions that run as the owner of the tables every row: they check the caller themselves.
create policy step_results_af_migrate on step_results to af_migrate
  using (true)
  with check (true);
