alter table step_attempts enable row level security;
alter table step_attempts force row level security;

create policy step_attempts_af_app on step_attempts to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()) and true);
create policy step_attempts_af_migrate on step_attempts to af_migrate
  using (true)
  with check (true);
