alter table decision_heads enable row level security;
alter table decision_heads force row level security;

create policy decision_heads_app on decision_heads to af_app
  using (owner_id = app_uid())
  with check (owner_id = app_uid());
