create trigger member_demoted after update on team_members for each row when (((old.role <> 'viewer'::text) AND (new.role = 'viewer'::text))) execute function af_member_lost();
create trigger member_removed after delete on team_members for each row execute function af_member_lost();
create trigger team_members_next_version before update on team_members for each row execute function af_next_version();
