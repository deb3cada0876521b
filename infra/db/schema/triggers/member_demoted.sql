-- Pauses the runs of a member who becomes a viewer: viewers start nothing.
create trigger member_demoted after update on team_members
  for each row when (old.role <> 'viewer' and new.role = 'viewer')
  execute function af_member_lost();
