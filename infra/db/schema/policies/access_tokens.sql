alter table access_tokens enable row level security;
alter table access_tokens force row level security;

create policy access_tokens_app on access_tokens to af_app
  using (owner_id = app_uid())
  with check (owner_id = app_uid());
