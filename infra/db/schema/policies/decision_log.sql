alter table decision_log enable row level security;
alter table decision_log force row level security;

create policy decision_log_af_app on decision_log to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()) and true);
create policy decision_log_af_migrate on decision_log to af_migrate
  using (true)
  with check (true);
