-- Lists the statuses of an ended run, as core/base/run-status.ts does.
create function af_closed(p_status text) returns boolean language sql immutable parallel safe as $$
  select p_status in ('suppressed', 'complete', 'partial', 'rejected', 'failed', 'cancelled', 'timed_out')
$$;
