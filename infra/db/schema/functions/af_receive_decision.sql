-- As before, behind the lock that orders it against the end of the request.
create function af_receive_decision(p_owner uuid, p_approval uuid, p_decision uuid, p_actor text, p_via text,
  p_answer text, p_instructions text, p_edits json, p_digest text, p_key uuid default null) returns setof approval_decisions
language plpgsql rows 1 security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  perform from approvals where id = p_approval for key share;
  return query
    insert into approval_decisions (approval_id, decision_id, run_id, owner_id, actor, actor_id, via, decision, instructions,
      edits, digest, key_id)
    select a.id, p_decision, a.run_id, a.owner_id, p_actor, case when p_via <> 'signal' then p_owner end, p_via, p_answer,
        p_instructions, p_edits, case when p_via = 'signal' then af_shown_digest(a) else p_digest end, p_key
      from approvals a where a.id = p_approval and (a.owner_id = p_owner or af_sees_approval(a.id, p_owner))
    on conflict do nothing returning *;
end $$;
