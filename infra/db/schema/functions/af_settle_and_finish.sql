-- Counts the decision {approval, id, decision, decided_by, via, instructions, at} and, if it decides and is as stated, ends the run in the
-- same transaction because nothing follows the gate. It saves the workflow a round trip.
create function af_settle_and_finish(p_run uuid, p_decision json, p_end json, p_events json, p_result json,
  out finished json, out outcome json, out decision approval_decisions)
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_approval constant uuid := p_decision ->> 'approval';
  v_decision constant uuid := p_decision ->> 'id';
  v_outcome json;
begin
  select s.outcome into outcome from af_settle_decision(p_run, v_approval, v_decision) s;
  select * into decision from approval_decisions d
    where d.approval_id = v_approval and d.decision_id = v_decision and d.run_id = p_run;
  v_outcome := outcome -> 'approval';
  if outcome ->> 'state' = 'counted' and v_outcome ->> 'decisionId' = v_decision::text and v_outcome ->> 'edits' is null
    and decision.decision = p_decision ->> 'decision' and decision.actor = p_decision ->> 'decided_by' and decision.via = p_decision ->> 'via'
    and decision.instructions is not distinct from p_decision ->> 'instructions'
    and to_char(date_trunc('milliseconds', decision.created_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') = p_decision ->> 'at' then
    finished := af_finish_tree(p_run, p_end, p_events, p_result);
  end if;
end $$;
