-- Shows the people who are asked how the others decided.
create policy approval_decisions_approver on approval_decisions for select to af_app
  using (owner_id <> (select app_uid()) and app_sees_approval(approval_id));
