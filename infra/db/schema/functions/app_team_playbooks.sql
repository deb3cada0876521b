-- Lists playbooks of the profiles that teams share with the caller.
create function app_team_playbooks() returns setof uuid language sql
  security definer set search_path = pg_catalog, public, pg_temp as $$
  select k.playbook_id from profile_skills k
    where k.is_enabled and k.playbook_id is not null and k.profile_id in (select app_team_profiles())
$$;
