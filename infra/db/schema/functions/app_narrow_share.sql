-- Narrows what others shared with a team, for its owners and admins (team right `settings`): switches it off or removes it. Only the
-- profile's owner may widen it.
create function app_narrow_share(p_profile uuid, p_team uuid, p_fields json, p_seen bigint) returns text language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_share agent_team_shares;
  v_visibility constant text[] := array['own_only', 'own_and_scheduled', 'full'];
begin
  select * into v_share from agent_team_shares where profile_id = p_profile and team_id = p_team for update;
  if v_share.id is null or app_team_role(p_team) is null then
    return 'share_not_found';
  elsif app_team_role(p_team) not in ('owner', 'admin') then
    return 'forbidden';
  elsif coalesce((p_fields ->> 'is_active')::boolean, false) and not v_share.is_active
    or coalesce((p_fields ->> 'team_file_access')::boolean, false) and not v_share.team_file_access
    or coalesce((p_fields ->> 'team_post_access')::boolean, false) and not v_share.team_post_access
    or coalesce(array_position(v_visibility, p_fields ->> 'journal_visibility'), 0)
      > array_position(v_visibility, v_share.journal_visibility) then
    return 'only_narrower';
  elsif p_seen <> v_share.row_version then
    return 'stale';
  end if;
  update agent_team_shares set is_active = coalesce((p_fields ->> 'is_active')::boolean, is_active),
    team_file_access = coalesce((p_fields ->> 'team_file_access')::boolean, team_file_access),
    team_post_access = coalesce((p_fields ->> 'team_post_access')::boolean, team_post_access),
    journal_visibility = coalesce(p_fields ->> 'journal_visibility', journal_visibility), updated_at = clock_timestamp()
    where id = v_share.id;
  return 'ok';
end $$;
