-- Restricts people to their own entries. One without a run must name their own playbook and profile, and no team:
-- only a run can write for a team.
create policy journal_entries_af_app on journal_entries to af_app
  using (owner_id = (select app_uid()))
  with check (
    owner_id = (select app_uid())
    and app_sees_run(run_id)
    and (run_id is not null or app_sees_playbook(playbook_id) and app_owns_profile(profile_id) and team_id is null)
  );
