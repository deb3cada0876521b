-- Lists playbooks that runs of a profile may use, to whoever sees the profile.
create function app_profile_playbooks(p_profile uuid) returns setof uuid language sql
  security definer set search_path = pg_catalog, public, pg_temp as $$
  select k.playbook_id from profile_skills k
    where k.profile_id = p_profile and k.is_enabled and k.playbook_id is not null and app_sees_profile(p_profile)
$$;
