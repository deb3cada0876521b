alter table master_keys enable row level security;
alter table master_keys force row level security;

create policy master_keys_system on master_keys to af_system
  using (true)
  with check (true);
