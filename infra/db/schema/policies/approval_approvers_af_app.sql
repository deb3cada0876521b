-- Shows the owner of a run who is asked. Only functions write it: whoever could add a row could let somebody decide.
create policy approval_approvers_af_app on approval_approvers for select to af_app
  using (owner_id = (select app_uid()));
