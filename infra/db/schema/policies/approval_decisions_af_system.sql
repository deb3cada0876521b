-- Lets the reconciler find decisions that a run has not heard of.
create policy approval_decisions_af_system on approval_decisions for select to af_system
  using (true);
