alter table import_dirs enable row level security;
alter table import_dirs force row level security;

create policy import_dirs_af_migrate on import_dirs to af_migrate
  using (true)
  with check (true);
create policy import_dirs_af_system on import_dirs to af_system
  using (true)
  with check (true);
