-- Lists which runs and journal entries of others a member may see, as (profile, team, unattended).
create function app_team_sight() returns table (profile_id uuid, team_id uuid, unattended boolean) language sql
  security definer set search_path = pg_catalog, public, pg_temp as $$
  select s.profile_id, s.team_id, k.unattended from af_my_shares() s cross join (values (true), (false)) k (unattended)
    where s.journal_visibility = 'full' or s.journal_visibility = 'own_and_scheduled' and k.unattended
$$;
