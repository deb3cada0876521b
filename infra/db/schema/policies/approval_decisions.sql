alter table approval_decisions enable row level security;
alter table approval_decisions force row level security;

create policy approval_decisions_af_app on approval_decisions to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()) and true);
create policy approval_decisions_af_migrate on approval_decisions to af_migrate
  using (true)
  with check (true);
create policy approval_decisions_af_system on approval_decisions for select to af_system
  using (true);
create policy approval_decisions_approver on approval_decisions for select to af_app
  using (owner_id <> (select app_uid()) and app_sees_approval(approval_id));
create policy approval_decisions_heard on approval_decisions for update to af_system
  using (true)
  with check (true);
