-- Shows the owner of a run what happened to its requests. Only functions write acts, since each one is also logged.
create policy approval_acts_af_app on approval_acts for select to af_app
  using (owner_id = (select app_uid()));
