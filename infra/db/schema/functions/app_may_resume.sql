-- Tests whether the caller may resume a run: a team's run needs the right to run its profile.
create function app_may_resume(p_profile uuid, p_team uuid) returns boolean language sql
  security definer set search_path = pg_catalog, public, pg_temp as $$
  select p_team is null or af_may_run(app_uid(), p_profile, p_team)
$$;
