alter table schema_state enable row level security;
alter table schema_state force row level security;

create policy schema_state_af_migrate on schema_state to af_migrate
  using (true)
  with check (true);
