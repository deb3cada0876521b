-- Lets the reconciler note that a run has heard a decision.
create policy approval_decisions_heard on approval_decisions for update to af_system
  using (true)
  with check (true);
