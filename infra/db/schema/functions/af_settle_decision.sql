-- Returns a decision of this run and its outcome. It counts the decision unless it has edits, which must first be checked against the
-- action.
create function af_settle_decision(p_run uuid, p_approval uuid, p_decision uuid, out outcome json, out decision approval_decisions)
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  select * into decision from approval_decisions d
    where d.approval_id = p_approval and d.decision_id = p_decision and d.run_id = p_run;
  if found and decision.edits is null then
    outcome := af_count_decision(p_approval, p_decision, null, null);
  end if;
end $$;
