-- Applies the policy runs_af_app_team to a person who is not the caller.
create function af_sees_team_run(p_reader uuid, p_run uuid) returns boolean language plpgsql stable
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  return exists (select from runs r where r.id = p_run and r.team_id is not null and (r.profile_owner_id = p_reader
    or exists (select from agent_team_shares s join agent_profiles p on p.id = s.profile_id
        join teams t on t.id = s.team_id join team_members m on m.team_id = t.id
      where s.profile_id = r.profile_id and s.team_id = r.team_id and s.is_active and p.deleted_at is null
        and t.deleted_at is null and m.user_id = p_reader
        and (s.journal_visibility = 'full' or s.journal_visibility = 'own_and_scheduled'
          and r.run_context in ('background', 'scheduled', 'monitor')))));
end $$;
