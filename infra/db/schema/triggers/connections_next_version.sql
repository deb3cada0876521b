-- Counts the changes of a row, for the ETag of the API (af_next_version).
create trigger connections_next_version before update on connections
  for each row execute function af_next_version();
