-- Counts the changes of a row, for the ETag of the API (af_next_version).
create trigger team_members_next_version before update on team_members
  for each row execute function af_next_version();
