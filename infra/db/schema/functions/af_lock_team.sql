-- Changes of one team follow each other, so that its last owner cannot leave twice.
create function af_lock_team(p_team uuid) returns void language sql
  security definer set search_path = pg_catalog, public, pg_temp as $$
  select from teams where id = p_team for no key update
$$;
