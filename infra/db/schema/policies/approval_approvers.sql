alter table approval_approvers enable row level security;
alter table approval_approvers force row level security;

create policy approval_approvers_af_app on approval_approvers for select to af_app
  using (owner_id = (select app_uid()));
create policy approval_approvers_af_migrate on approval_approvers to af_migrate
  using (true)
  with check (true);
create policy approval_approvers_approver on approval_approvers for select to af_app
  using (owner_id <> (select app_uid()) and app_sees_approval(approval_id));
