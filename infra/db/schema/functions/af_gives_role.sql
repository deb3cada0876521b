-- Tests whether a team role may give another role or take it from its holder, as mayGiveRole of core/permissions/team-roles.ts does (owners
-- may also make and remove owners).
create function af_gives_role(p_by text, p_role text) returns boolean language sql immutable
  security definer set search_path = pg_catalog, public, pg_temp as $$
  select p_by = 'owner' or p_by = 'admin' and p_role in ('member', 'viewer')
$$;
