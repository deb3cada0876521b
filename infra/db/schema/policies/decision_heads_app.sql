-- Restricts people to the end of their own hash chain.
create policy decision_heads_app on decision_heads to af_app
  using (owner_id = app_uid())
  with check (owner_id = app_uid());
