-- Tests whether a request can still be decided, for any owner.
create function af_approval_waits(p_approval uuid) returns boolean language plpgsql stable
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  return exists (select from approvals where id = p_approval and status = 'waiting');
end $$;
