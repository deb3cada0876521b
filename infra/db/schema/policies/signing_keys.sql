alter table signing_keys enable row level security;
alter table signing_keys force row level security;

create policy signing_keys_af_migrate on signing_keys to af_migrate
  using (true)
  with check (true);
create policy signing_keys_af_system on signing_keys to af_system
  using (true)
  with check (true);
