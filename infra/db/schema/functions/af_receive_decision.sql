-- Records a decision as received, under the lock that orders it against the end of the request.
create function af_receive_decision(p_decision json) returns setof approval_decisions
language plpgsql rows 1 security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_new constant af_new_decision := json_populate_record(null::af_new_decision, p_decision);
begin
  perform from approvals where id = v_new.approval for key share;
  return query
    insert into approval_decisions (approval_id, decision_id, run_id, owner_id, actor, actor_id, via, decision, instructions,
      edits, digest, key_id)
    select a.id, v_new.decision, a.run_id, a.owner_id, v_new.actor, case when v_new.via <> 'signal' then v_new.owner end, v_new.via, v_new.answer,
        v_new.instructions, v_new.edits::json, case when v_new.via = 'signal' then af_shown_digest(a) else v_new.digest end, v_new.key
      from approvals a where a.id = v_new.approval and (a.owner_id = v_new.owner or af_sees_approval(a.id, v_new.owner))
    on conflict do nothing returning *;
end $$;
