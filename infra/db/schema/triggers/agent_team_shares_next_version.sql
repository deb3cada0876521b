-- Counts the changes of a row, for the ETag of the API (af_next_version).
create trigger agent_team_shares_next_version before update on agent_team_shares
  for each row execute function af_next_version();
