-- Returns why the caller cannot retry a run; null: they can. A sub-playbook is retried only through its caller, because it depends on
-- answers given there. A run for a profile may be retried by people who may still run the profile, as long as it has what the run needs.
create function app_why_no_retry(p_run uuid) returns text language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_run record;
begin
  select r.owner_id, r.status, r.playbook_id, r.profile_id, r.team_id, r.parent_run_id into v_run
    from runs r where r.id = p_run and r.owner_id = app_uid();
  return case
    when v_run.owner_id is null then 'run_not_found'
    when v_run.parent_run_id is not null then 'run_is_sub_playbook'
    when not af_closed(v_run.status) then 'run_not_closed'
    when v_run.profile_id is not null and not af_may_run(v_run.owner_id, v_run.profile_id, v_run.team_id)
      then 'access_revoked'
    when not exists (select from playbooks p where p.id = v_run.playbook_id and p.owner_id = v_run.owner_id)
      and not exists (select from profile_skills k
        where k.profile_id = v_run.profile_id and k.playbook_id = v_run.playbook_id and k.is_enabled)
      then 'playbook_withdrawn'
  end;
end $$;
