-- Restricts people to their own connections.
create policy connections_af_app on connections to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()));
