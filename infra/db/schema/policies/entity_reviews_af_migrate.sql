-- Gives functions that run as the owner of the tables every row: they check the caller themselves.
create policy entity_reviews_af_migrate on entity_reviews to af_migrate
  using (true)
  with check (true);
