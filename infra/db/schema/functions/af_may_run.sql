-- Tests whether a person may run a profile: as its owner (no team), or as a member of a team that it is shared with.
create function af_may_run(p_owner uuid, p_profile uuid, p_team uuid) returns boolean language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if not exists (select from users where id = p_owner and status = 'active') then
    return false;
  end if;
  if p_team is null then
    return exists (select from agent_profiles
      where id = p_profile and owner_id = p_owner and is_active and deleted_at is null);
  end if;
  return exists (select from agent_team_shares s join agent_profiles p on p.id = s.profile_id
      join users u on u.id = p.owner_id and u.status = 'active'
      join teams t on t.id = s.team_id join team_members m on m.team_id = t.id
    where s.profile_id = p_profile and s.team_id = p_team and s.is_active and p.is_active and p.deleted_at is null
      and t.deleted_at is null and m.user_id = p_owner and m.role <> 'viewer');
end $$;
