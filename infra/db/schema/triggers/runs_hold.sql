-- Holds a new run that is above its owner's cap.
create trigger runs_hold before insert on runs
  for each row execute function af_hold_run();
