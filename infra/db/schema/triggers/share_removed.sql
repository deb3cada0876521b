-- Pauses the team's runs when a share is taken back.
create trigger share_removed after delete on agent_team_shares
  for each row execute function af_share_lost();
