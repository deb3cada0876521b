-- Pauses the runs of a member who leaves the team.
create trigger member_removed after delete on team_members
  for each row execute function af_member_lost();
