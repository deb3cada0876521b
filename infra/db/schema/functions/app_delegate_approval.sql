-- Delegates the caller's own right to another person; to themselves: takes it back. A delegated right cannot be delegated again.
create function app_delegate_approval(p_approval uuid, p_to text) returns text language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v record;
  v_act af_new_act;
  v_row approvals;
  v_to uuid := af_find_user(p_to);
  v_code text;
begin
  select * into v from af_take_approval(p_approval, app_uid());
  v_row := v.approval;
  if v.code is not null then
    return v.code;
  elsif not af_has_right(v_row, app_uid(), true) then
    return case when (af_decider(v_row, app_uid())).code is null then 'delegated_to_you' else 'not_allowed' end;
  end if;
  v_code := (af_decider(v_row, app_uid())).code;
  if v_code <> 'delegated_away' then
    return v_code;
  elsif v_to is null or not af_active_user(v_to) then
    return 'user_not_found';
  elsif v_to <> app_uid() and af_excluded(v_row, v_to) then
    return 'delegate_excluded';
  elsif exists (select from approval_decisions d where d.approval_id = p_approval and d.state = 'counted'
      and d.superseded_at is null and af_person(app_uid()) in (af_person(d.actor_id), af_person(d.acting_for))) then
    return 'already_approved';
  end if;
  delete from approval_approvers where approval_id = p_approval and source = 'delegation'
    and af_person(granted_by) = af_person(app_uid());
  if v_to <> app_uid() then
    insert into approval_approvers (approval_id, subject, source, granted_by, owner_id, requested_at)
    values (p_approval, 'user:' || v_to, 'delegation', app_uid(), v_row.owner_id, v_row.requested_at);
    insert into notifications (id, owner_id, kind, title, run_id, approval_id)
    values (gen_random_uuid(), v_to, 'approval.delegated', left(v_row.prompt, 200), v_row.run_id, p_approval);
  end if;
  v_act.kind := 'delegated';
  v_act.actor := app_uid();
  v_act.concerns := (select handle from users where id = v_to);
  v_act.body := json_build_object('user_id', v_to);
  perform af_act(v_row, v.seq, v.watched, v_act);
  return 'ok';
end $$;
