-- Restricts one-time links to the platform: a person who could read them could become somebody else.
create policy one_time_links_af_system on one_time_links to af_system
  using (true)
  with check (true);
