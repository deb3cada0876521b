-- Returns how many more runs of an owner may begin now.
create function af_owner_room(p_owner uuid, p_cap integer) returns integer language plpgsql as $$
begin
  return p_cap - (select count(*) from (select from runs
    where owner_id = p_owner and status in ('pending', 'running') and status_code is distinct from 'owner_cap'
    limit p_cap) a);
end $$;
