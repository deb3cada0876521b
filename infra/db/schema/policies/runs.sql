alter table runs enable row level security;
alter table runs force row level security;

create policy runs_af_app on runs to af_app
  using (owner_id = (select app_uid()))
  with check (owner_id = (select app_uid()) and (control <> 'run' or app_may_resume(profile_id, team_id)));
create policy runs_af_app_team on runs for select to af_app
  using (team_id is not null and (profile_owner_id = (select app_uid()) or ((profile_id, team_id, run_context in ('background', 'scheduled', 'monitor')) in (select app_team_sight.profile_id, app_team_sight.team_id, app_team_sight.unattended from app_team_sight() app_team_sight(profile_id, team_id, unattended)))));
create policy runs_af_migrate on runs to af_migrate
  using (true)
  with check (true);
create policy runs_af_system on runs to af_system
  using (true)
  with check (true);
