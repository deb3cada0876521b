-- Shows the people who are asked what happened to the request.
create policy approval_acts_approver on approval_acts for select to af_app
  using (owner_id <> (select app_uid()) and app_sees_approval(approval_id));
