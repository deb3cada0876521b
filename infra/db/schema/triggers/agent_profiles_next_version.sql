-- Counts the changes of a row, for the ETag of the API (af_next_version).
create trigger agent_profiles_next_version before update on agent_profiles
  for each row execute function af_next_version();
