alter table entity_reviews enable row level security;
alter table entity_reviews force row level security;

create policy entity_reviews_af_app on entity_reviews to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()) and true);
create policy entity_reviews_af_migrate on entity_reviews to af_migrate
  using (true)
  with check (true);
