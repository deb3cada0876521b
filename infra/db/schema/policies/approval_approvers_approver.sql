-- Shows the people who are asked who else is.
create policy approval_approvers_approver on approval_approvers for select to af_app
  using (owner_id <> (select app_uid()) and app_sees_approval(approval_id));
