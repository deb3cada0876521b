-- Serialises changes of one team, so that two last owners cannot leave at once.
create function af_lock_team(p_team uuid) returns void language sql
  security definer set search_path = pg_catalog, public, pg_temp as $$
  select from teams where id = p_team for no key update
$$;
