alter table refresh_tokens enable row level security;
alter table refresh_tokens force row level security;

create policy refresh_tokens_af_app on refresh_tokens to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()));
create policy refresh_tokens_af_migrate on refresh_tokens to af_migrate
  using (true)
  with check (true);
