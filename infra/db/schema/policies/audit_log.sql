alter table audit_log enable row level security;
alter table audit_log force row level security;

create policy audit_log_af_app on audit_log to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()));
create policy audit_log_af_migrate on audit_log to af_migrate
  using (true)
  with check (true);
create policy audit_log_af_system on audit_log to af_system
  using (true)
  with check (true);
