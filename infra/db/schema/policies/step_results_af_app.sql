-- Restricts people to results of their own runs.
create policy step_results_af_app on step_results to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()));
