-- Returns a decision to the owner of the run or to the person who made it.
create function af_decision(p_owner uuid, p_approval uuid, p_decision uuid) returns setof approval_decisions
language plpgsql stable rows 1 security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  return query select * from approval_decisions d
    where d.approval_id = p_approval and d.decision_id = p_decision and (d.owner_id = p_owner or d.actor_id = p_owner);
end $$;
