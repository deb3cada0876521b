-- Shows entries of a team's runs to the owner of the profile, and to members as far as the share allows
-- (app_team_sight).
create policy journal_entries_af_app_team on journal_entries for select to af_app
  using (team_id is not null and (profile_owner_id = (select app_uid())
    or (profile_id, team_id, run_context in ('background', 'scheduled', 'monitor')) in (select * from app_team_sight())));
