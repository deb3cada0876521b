-- Counts the changes of a row, for the ETag of the API (af_next_version).
create trigger teams_next_version before update on teams
  for each row execute function af_next_version();
