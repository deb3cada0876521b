-- Who sees what of profiles, teams and what they leave. As in 0012: policies look other tables up through functions alone, so
-- that none leads back; the functions are volatile and run as af_migrate.
set local role af_migrate;

-- ── teams ───────────────────────────────────────────────────────────────────────────────────────
create function app_my_teams() returns setof uuid language sql as $$
  select m.team_id from team_members m join teams t on t.id = m.team_id
    where m.user_id = app_uid() and t.deleted_at is null
$$;

-- Null: not a member.
create function app_team_role(p_team uuid) returns text language sql as $$
  select m.role from team_members m join teams t on t.id = m.team_id
    where m.team_id = p_team and m.user_id = app_uid() and t.deleted_at is null
$$;

create function app_in_team(p_team uuid) returns boolean language sql as $$
  select p_team is null or app_team_role(p_team) is not null
$$;

-- Names of the people of a team, for its members: nobody sees the rows of other users.
create function app_team_people(p_team uuid) returns table (user_id uuid, handle text, display_name text, role text,
  row_version bigint, created_at timestamptz) language sql as $$
  select m.user_id, u.handle, u.display_name, m.role, m.row_version, m.created_at
    from team_members m join users u on u.id = m.user_id
    where m.team_id = p_team and app_team_role(p_team) is not null
    order by m.created_at, m.user_id
$$;

create function app_create_team(p_id uuid, p_name text, p_description text) returns void language plpgsql as $$
begin
  insert into teams (id, owner_id, name, description) values (p_id, app_uid(), p_name, p_description);
  insert into team_members (team_id, user_id, role) values (p_id, app_uid(), 'owner');
end $$;

-- Changes of one team follow each other, so that its last owner cannot leave twice.
create function af_lock_team(p_team uuid) returns void language sql as $$
  select from teams where id = p_team for no key update
$$;

create function af_is_last_owner(p_team uuid, p_user uuid) returns boolean language sql as $$
  select exists (select from team_members where team_id = p_team and user_id = p_user and role = 'owner')
    and not exists (select from team_members where team_id = p_team and user_id <> p_user and role = 'owner')
$$;

-- Adds somebody by id or handle, or changes his role as the caller has seen it (p_seen: row_version; null: whatever it is).
-- `ok`, or why not. Admins manage members and viewers.
create function app_set_team_member(p_team uuid, p_user text, p_role text, p_seen bigint, out outcome text, out member_id uuid)
language plpgsql as $$
declare
  v_mine text;
  v_theirs text;
  v_version bigint;
begin
  perform af_lock_team(p_team);
  v_mine := app_team_role(p_team);
  if v_mine is null then
    outcome := 'not_found';
    return;
  end if;
  if v_mine not in ('owner', 'admin') then
    outcome := 'forbidden';
    return;
  end if;
  select u.id into member_id from users u where u.id::text = lower(p_user) or u.handle = p_user
    order by (u.id::text = lower(p_user)) desc limit 1;
  if member_id is null then
    outcome := 'user_not_found';
    return;
  end if;
  select role, row_version into v_theirs, v_version from team_members where team_id = p_team and user_id = member_id;
  if v_mine = 'admin' and (p_role in ('owner', 'admin') or coalesce(v_theirs, '') in ('owner', 'admin')) then
    outcome := 'forbidden';
  elsif p_role <> 'owner' and af_is_last_owner(p_team, member_id) then
    outcome := 'last_owner';
  elsif p_seen <> v_version then
    outcome := 'stale';
  else
    insert into team_members (team_id, user_id, role) values (p_team, member_id, p_role)
      on conflict (team_id, user_id) do update set role = excluded.role;
    outcome := 'ok';
  end if;
end $$;

-- Takes somebody out, or lets the caller leave; what he shared with the team goes with him.
create function app_remove_team_member(p_team uuid, p_user uuid, p_seen bigint) returns text language plpgsql as $$
declare
  v_mine text;
  v_theirs text;
  v_version bigint;
begin
  perform af_lock_team(p_team);
  v_mine := app_team_role(p_team);
  select role, row_version into v_theirs, v_version from team_members where team_id = p_team and user_id = p_user;
  if v_mine is null then
    return 'not_found';
  elsif v_theirs is null then
    return 'member_not_found';
  elsif p_user <> app_uid() and (v_mine not in ('owner', 'admin') or v_mine = 'admin' and v_theirs in ('owner', 'admin')) then
    return 'forbidden';
  elsif af_is_last_owner(p_team, p_user) then
    return 'last_owner';
  elsif p_seen <> v_version then
    return 'stale';
  end if;
  delete from agent_team_shares where team_id = p_team and owner_id = p_user;
  delete from team_members where team_id = p_team and user_id = p_user;
  return 'ok';
end $$;

-- The team is hidden; what was shared with it is shared no more.
create function app_delete_team(p_team uuid, p_seen bigint) returns text language plpgsql as $$
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

-- ── what a share opens ──────────────────────────────────────────────────────────────────────────
-- Shares of live profiles with the caller's teams.
create function af_my_shares() returns setof agent_team_shares language sql as $$
  select s.* from agent_team_shares s join agent_profiles p on p.id = s.profile_id
    where s.is_active and p.deleted_at is null and s.team_id in (select app_my_teams())
$$;
create function app_team_profiles() returns setof uuid language sql as $$
  select profile_id from af_my_shares()
$$;
-- Runs and entries that a member sees of others: (profile, team, whether nobody waited at the screen).
create function app_team_sight() returns table (profile_id uuid, team_id uuid, unattended boolean) language sql as $$
  select s.profile_id, s.team_id, k.unattended from af_my_shares() s cross join (values (true), (false)) k (unattended)
    where s.journal_visibility = 'full' or s.journal_visibility = 'own_and_scheduled' and k.unattended
$$;
create function app_team_playbooks() returns setof uuid language sql as $$
  select k.playbook_id from profile_skills k
    where k.is_enabled and k.playbook_id is not null and k.profile_id in (select app_team_profiles())
$$;
create function app_team_connectors() returns setof uuid language sql as $$
  select c.connector_id from profile_connectors c where c.is_enabled and c.profile_id in (select app_team_profiles())
$$;

create function app_owns_profile(p_id uuid) returns boolean language sql as $$
  select p_id is null or exists (select from agent_profiles where id = p_id and owner_id = app_uid())
$$;
create function app_sees_profile(p_id uuid) returns boolean language sql as $$
  select app_owns_profile(p_id) or p_id in (select app_team_profiles())
$$;
-- Of one profile that the caller may call: what its runs are made of.
create function app_profile_playbooks(p_profile uuid) returns setof uuid language sql as $$
  select k.playbook_id from profile_skills k
    where k.profile_id = p_profile and k.is_enabled and k.playbook_id is not null and app_sees_profile(p_profile)
$$;
create function app_profile_connectors(p_profile uuid) returns setof uuid language sql as $$
  select c.connector_id from profile_connectors c
    where c.profile_id = p_profile and c.is_enabled and app_sees_profile(p_profile)
$$;

-- ── what the caller may refer to ────────────────────────────────────────────────────────────────
create function app_owns_connection(p_id uuid) returns boolean language sql as $$
  select p_id is null or exists (select from connections where id = p_id and owner_id = app_uid())
$$;
create function app_owns_monitor(p_id uuid) returns boolean language sql as $$
  select p_id is null or exists (select from monitors where id = p_id and owner_id = app_uid())
$$;
create function app_sees_plugin(p_id uuid) returns boolean language sql as $$
  select p_id is null or exists (select from plugins where id = p_id and (owner_id is null or owner_id = app_uid()))
$$;
create function app_shares_with(p_team uuid) returns boolean language sql as $$
  select coalesce(app_team_role(p_team) in ('owner', 'admin', 'member'), false)
$$;

-- ── policies ────────────────────────────────────────────────────────────────────────────────────
do $$
declare
  v_table text;
  v_check text;
  v_owned constant json := json_build_object(
    'topics', 'app_in_team(team_id)',
    'agent_profiles', 'true',
    'connections', 'true',
    'profile_connectors', 'app_owns_profile(profile_id) and app_sees_connector(connector_id)
      and app_owns_connection(connection_id)',
    'profile_skills', 'app_owns_profile(profile_id) and app_sees_playbook(playbook_id)',
    'agent_team_shares', 'app_owns_profile(profile_id) and app_shares_with(team_id)',
    'schedules', 'app_sees_profile(profile_id) and app_sees_playbook(playbook_id)',
    'monitors', 'app_sees_profile(profile_id) and app_sees_playbook(playbook_id)',
    'monitor_watermarks', 'app_owns_monitor(monitor_id)',
    'discoveries', 'app_sees_run(run_id) and app_sees_profile(profile_id)',
    'entity_reviews', 'true', 'entity_resolutions', 'true', 'notifications', 'true', 'webhooks', 'true',
    'plugin_settings', 'app_sees_plugin(plugin_id) and app_owns_connection(connection_id)');
begin
  for v_table, v_check in select * from json_each_text(v_owned) loop
    execute format('create policy %I on %I to af_app using (owner_id = (select app_uid()))
      with check (owner_id = (select app_uid()) and %s)', v_table || '_af_app', v_table, v_check);
  end loop;
  for v_table in select json_object_keys(v_owned) union all values ('teams'), ('team_members'), ('plugins') loop
    execute format('alter table %I enable row level security', v_table);
    execute format('alter table %I force row level security', v_table);
    execute format('create policy %I on %I to af_migrate using (true) with check (true)', v_table || '_af_migrate', v_table);
  end loop;
end $$;

create policy teams_af_app on teams to af_app using (id in (select app_my_teams()))
  with check (app_team_role(id) in ('owner', 'admin'));
create policy team_members_af_app on team_members for select to af_app using (team_id in (select app_my_teams()));
create policy topics_af_app_team on topics for select to af_app using (team_id in (select app_my_teams()));
create policy plugins_af_app on plugins for select to af_app using (owner_id is null or owner_id = (select app_uid()));
create policy plugins_af_system on plugins to af_system using (owner_id is null) with check (owner_id is null);

create policy agent_profiles_af_app_team on agent_profiles for select to af_app using (id in (select app_team_profiles()));
create policy agent_team_shares_af_app_team on agent_team_shares for select to af_app
  using (team_id in (select app_my_teams()));
create policy agent_team_shares_af_app_admin on agent_team_shares for delete to af_app
  using (app_team_role(team_id) in ('owner', 'admin'));
create policy playbooks_af_app_team on playbooks for select to af_app using (id in (select app_team_playbooks()));
create policy playbook_versions_af_app_team on playbook_versions for select to af_app
  using (playbook_id in (select app_team_playbooks()));
create policy connectors_af_app_team on connectors for select to af_app using (id in (select app_team_connectors()));
create policy connector_versions_af_app_team on connector_versions for select to af_app
  using (connector_id in (select app_team_connectors()));

create policy runs_af_app_team on runs for select to af_app
  using (team_id is not null and (profile_owner_id = (select app_uid())
    or (profile_id, team_id, run_context in ('background', 'scheduled', 'monitor')) in (select * from app_team_sight())));
create policy journal_entries_af_app_team on journal_entries for select to af_app
  using (team_id is not null and (profile_owner_id = (select app_uid())
    or (profile_id, team_id, run_context in ('background', 'scheduled', 'monitor')) in (select * from app_team_sight())));
-- What an entry of a run says of playbook, profile and team comes from the run (journal_of_run).
alter policy journal_entries_af_app on journal_entries with check (owner_id = (select app_uid()) and app_sees_run(run_id)
  and (run_id is not null or app_sees_playbook(playbook_id) and app_owns_profile(profile_id) and team_id is null));

-- ── rights ──────────────────────────────────────────────────────────────────────────────────────
grant select on teams, team_members, entity_reviews, entity_resolutions, notifications, plugins to af_app;
grant update (name, description, updated_at) on teams to af_app;
grant update (read_at) on notifications to af_app;
grant select, insert on discoveries to af_app;
grant select, insert, update on topics, agent_profiles, connections, schedules, monitors, webhooks to af_app;
grant select, insert, update, delete on profile_connectors, profile_skills, monitor_watermarks, plugin_settings to af_app;
grant select, insert, delete on agent_team_shares to af_app;
grant update (team_file_access, team_post_access, journal_visibility, is_active, updated_at) on agent_team_shares
  to af_app;
grant select, insert, update on plugins to af_system;
