alter table step_results enable row level security;
alter table step_results force row level security;

create policy step_results_af_app on step_results to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()) and true);
create policy step_results_af_migrate on step_results to af_migrate
  using (true)
  with check (true);
