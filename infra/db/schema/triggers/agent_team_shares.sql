create trigger agent_team_shares_next_version before update on agent_team_shares for each row execute function af_next_version();
create trigger share_removed after delete on agent_team_shares for each row execute function af_share_lost();
create trigger share_stopped after update on agent_team_shares for each row when ((old.is_active AND (NOT new.is_active))) execute function af_share_lost();
