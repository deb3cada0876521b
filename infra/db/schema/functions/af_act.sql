-- Records what happened to a request in three places: the row, an event of the run and the decision log.
create function af_act(p_approval approvals, p_seq bigint, p_watched timestamptz, p_act af_new_act) returns void language plpgsql as $$
declare
  v_act approval_acts;
  v_seq bigint;
begin
  insert into approval_acts (id, approval_id, owner_id, kind, actor_id, actor, body, digest)
  values (gen_random_uuid(), p_approval.id, p_approval.owner_id, p_act.kind, p_act.actor,
    coalesce((select handle from users where id = p_act.actor), 'timer'), p_act.body, af_shown_digest(p_approval))
  returning * into v_act;
  v_seq := af_append(p_approval.run_id, p_approval.owner_id, p_seq, json_build_array(json_build_object(
    'id', 'approval:' || p_approval.id || ':' || p_act.kind || ':' || v_act.id, 'type', 'approval.' || p_act.kind,
    'step_path', p_approval.step_path, 'payload', json_strip_nulls(json_build_object('at', v_act.at,
      'approvalId', p_approval.id, 'step', p_approval.step_name, 'by', v_act.actor, 'to', p_act.concerns, 'digest', v_act.digest))::text)));
  perform af_touch(p_approval.run_id, p_seq, v_seq, null, p_watched);
  perform af_log_decision(p_approval.owner_id, json_build_object('at', v_act.at, 'run', p_approval.run_id,
    'approval', p_approval.id, 'step_path', p_approval.step_path, 'act', p_act.kind, 'act_id', v_act.id, 'actor', v_act.actor,
    'actor_id', p_act.actor, 'to', p_act.concerns, 'body', p_act.body, 'digest', v_act.digest)::text);
end $$;
