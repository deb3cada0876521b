-- Passes pause and resume on to the children of a run in the same transaction.
create trigger runs_control after update of control on runs
  for each row when (new.control in ('run', 'pause') and new.control <> old.control)
  execute function af_control_children();
