alter table approval_links enable row level security;
alter table approval_links force row level security;

create policy approval_links_af_app on approval_links for select to af_app
  using (owner_id = (select app_uid()));
create policy approval_links_af_migrate on approval_links to af_migrate
  using (true)
  with check (true);
