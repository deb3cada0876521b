-- Opens approvals [{id, step_path, step_name, status, prompt, preview, preview_total, action, digest, edit_schema, on_reject, on_timeout,
-- due_at}]; one that exists stays as it is. `auto_approved` is decided by policy.
create function af_open_approvals(p_run uuid, p_owner uuid, p_approvals json) returns void language plpgsql as $$
declare
  v_row approvals;
  v_policy json;
begin
  for v_row in
    insert into approvals (id, run_id, owner_id, step_path, step_name, status, prompt, preview, preview_total, action, digest,
      edit_schema, on_reject, on_timeout, due_at, remind_at, escalate_at, decided_at, decided_by, decision_id, approved_digest,
      failures, preview_rows, effects_behind)
    select a.id, p_run, p_owner, a.step_path, a.step_name, a.status, a.prompt, a.preview::json, a.preview_total,
      a.action::json, a.digest, a.edit_schema::json, a.on_reject, a.on_timeout, a.due_at, a.remind_at,
      a.escalate_at,
      case when a.status = 'auto_approved' then clock_timestamp() end,
      case when a.status = 'auto_approved' then 'policy' end,
      case when a.status = 'auto_approved' then gen_random_uuid() end,
      case when a.status = 'auto_approved' then a.digest end, a.failures::json, a.preview_rows::json,
      a.effects_behind::json
    from json_to_recordset(p_approvals) as a (id uuid, step_path text, step_name text, status text, prompt text, preview text,
      preview_total integer, action text, digest text, edit_schema text, on_reject text, on_timeout text, due_at timestamptz,
      remind_at timestamptz, escalate_at timestamptz, failures text, preview_rows text,
      effects_behind text)
    on conflict do nothing
    returning *
  loop
    if v_row.status = 'auto_approved' then
      insert into approval_decisions (approval_id, decision_id, run_id, owner_id, actor, via, decision, digest, state,
        settled_at)
      values (v_row.id, v_row.decision_id, p_run, p_owner, 'policy', 'policy', 'approve', v_row.digest, 'counted',
        clock_timestamp());
      perform af_log_decision(p_owner, json_build_object('at', v_row.decided_at, 'run', p_run, 'approval', v_row.id,
        'step_path', v_row.step_path, 'decision_id', v_row.decision_id, 'actor', 'policy', 'via', 'policy',
        'decision', 'approve', 'state', 'counted', 'code', null, 'instructions', null, 'edits', null,
        'digest', v_row.digest)::text);
    else
      select a.policy::json into v_policy from json_to_recordset(p_approvals) as a (id uuid, policy text)
        where a.id = v_row.id;
      if v_policy is not null then
        perform af_set_rules(v_row, v_policy);
      end if;
    end if;
  end loop;
end $$;
