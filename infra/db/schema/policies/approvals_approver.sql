-- Shows a request to the people who are asked, because the run itself is not theirs.
create policy approvals_approver on approvals for select to af_app
  using (owner_id <> (select app_uid()) and app_sees_approval(id));
