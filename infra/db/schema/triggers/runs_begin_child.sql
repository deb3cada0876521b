-- Starts a child as its parent stands: paused, cancelled or free to go.
create trigger runs_begin_child before insert on runs
  for each row when (new.parent_run_id is not null)
  execute function af_begin_child();
