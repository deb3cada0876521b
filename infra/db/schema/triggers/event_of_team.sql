-- Puts the run's team on events about the run as a whole: followers of a team read these alone.
create trigger event_of_team before insert on run_events
  for each row when (new.type in ('run.status', 'complete'))
  execute function af_event_of_team();
