-- Restricts people to their own reviews.
create policy entity_reviews_af_app on entity_reviews to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()));
