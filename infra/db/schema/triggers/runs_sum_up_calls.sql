-- Sums up the connector calls of a run once, when it ends.
create trigger runs_sum_up_calls before update on runs
  for each row when (af_closed(new.status) and not af_closed(old.status))
  execute function af_sum_up_calls();
