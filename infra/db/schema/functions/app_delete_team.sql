-- Hides a team and ends its shares.
create function app_delete_team(p_team uuid, p_seen bigint) returns text language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_mine text;
begin
  perform af_lock_team(p_team);
  v_mine := app_team_role(p_team);
  if v_mine is null then
    return 'not_found';
  elsif v_mine <> 'owner' then
    return 'forbidden';
  elsif p_seen <> (select row_version from teams where id = p_team) then
    return 'stale';
  end if;
  delete from agent_team_shares where team_id = p_team;
  update teams set deleted_at = clock_timestamp(), updated_at = clock_timestamp() where id = p_team;
  return 'ok';
end $$;
