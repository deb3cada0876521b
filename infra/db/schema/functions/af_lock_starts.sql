-- Serialises starts of one owner with the sweeper's release of held runs.
create function af_lock_starts(p_owner uuid) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(22, hashtext(p_owner::text));
end $$;
