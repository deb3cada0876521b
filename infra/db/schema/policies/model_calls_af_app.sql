-- Restricts people to model calls of their own runs.
create policy model_calls_af_app on model_calls to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()));
