alter table approvals enable row level security;
alter table approvals force row level security;

create policy approvals_af_app on approvals to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()) and true);
create policy approvals_af_migrate on approvals to af_migrate
  using (true)
  with check (true);
create policy approvals_af_system on approvals for select to af_system
  using (true);
create policy approvals_approver on approvals for select to af_app
  using (owner_id <> (select app_uid()) and app_sees_approval(id));
