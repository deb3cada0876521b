alter table login_attempts enable row level security;
alter table login_attempts force row level security;

create policy login_attempts_af_migrate on login_attempts to af_migrate
  using (true)
  with check (true);
