-- Returns a request to p_owner, if it is about their run or they are asked.
create function af_approval(p_owner uuid, p_approval uuid) returns setof approvals
language plpgsql stable rows 1 security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  return query select * from approvals a
    where a.id = p_approval and (a.owner_id = p_owner or af_sees_approval(a.id, p_owner));
end $$;
