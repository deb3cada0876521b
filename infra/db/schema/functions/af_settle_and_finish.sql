-- Counts a decision, and where it decides and is as p_said says ends the run in the same transaction: nothing else was behind it.
create function af_settle_and_finish(p_run uuid, p_approval uuid, p_decision uuid, p_said json, p_end json, p_events json, p_result json,
  out finished json, out outcome json, out decision approval_decisions)
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_approval json;
begin
  select s.outcome into outcome from af_settle_decision(p_run, p_approval, p_decision) s;
  select * into decision from approval_decisions d
    where d.approval_id = p_approval and d.decision_id = p_decision and d.run_id = p_run;
  v_approval := outcome -> 'approval';
  if outcome ->> 'state' = 'counted' and v_approval ->> 'decisionId' = p_decision::text and v_approval ->> 'edits' is null
    and decision.decision = p_said ->> 'decision' and decision.actor = p_said ->> 'decided_by' and decision.via = p_said ->> 'via'
    and decision.instructions is not distinct from p_said ->> 'instructions'
    and to_char(date_trunc('milliseconds', decision.created_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') = p_said ->> 'at' then
    finished := af_finish_tree(p_run, p_end, p_events, p_result);
  end if;
end $$;
