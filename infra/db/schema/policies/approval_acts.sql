alter table approval_acts enable row level security;
alter table approval_acts force row level security;

create policy approval_acts_af_app on approval_acts for select to af_app
  using (owner_id = (select app_uid()));
create policy approval_acts_af_migrate on approval_acts to af_migrate
  using (true)
  with check (true);
create policy approval_acts_approver on approval_acts for select to af_app
  using (owner_id <> (select app_uid()) and app_sees_approval(approval_id));
