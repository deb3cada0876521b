-- Pauses the team's runs when a share is switched off.
create trigger share_stopped after update on agent_team_shares
  for each row when (old.is_active and not new.is_active)
  execute function af_share_lost();
