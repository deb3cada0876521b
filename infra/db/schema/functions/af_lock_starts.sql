-- Starts of one owner, and the sweeper's look at them, go one after the other.
create function af_lock_starts(p_owner uuid) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(22, hashtext(p_owner::text));
end $$;
