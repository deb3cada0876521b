-- Counts the changes of a row, for the ETag of the API (af_next_version).
create trigger schedules_next_version before update on schedules
  for each row execute function af_next_version();
