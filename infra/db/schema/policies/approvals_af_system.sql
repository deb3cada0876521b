-- Lets the reconciler read requests of all runs, to find timers and decisions that got lost.
create policy approvals_af_system on approvals for select to af_system
  using (true);
