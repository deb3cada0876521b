-- Counts the changes of a row, for the ETag of the API (af_next_version).
create trigger profile_connectors_next_version before update on profile_connectors
  for each row execute function af_next_version();
