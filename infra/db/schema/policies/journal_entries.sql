alter table journal_entries enable row level security;
alter table journal_entries force row level security;

create policy journal_entries_af_app on journal_entries to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()) and app_sees_run(run_id) and (run_id is not null or
    (app_sees_playbook(playbook_id) and app_owns_profile(profile_id) and team_id is null)));
create policy journal_entries_af_app_team on journal_entries for select to af_app
  using (team_id is not null and (profile_owner_id = (select app_uid()) or ((profile_id, team_id, run_context in ('background', 'scheduled', 'monitor')) in (select app_team_sight.profile_id, app_team_sight.team_id, app_team_sight.unattended from app_team_sight() app_team_sight(profile_id, team_id, unattended)))));
create policy journal_entries_af_migrate on journal_entries to af_migrate
  using (true)
  with check (true);
