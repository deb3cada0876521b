-- A link that sets a password is worth what its maker may do now. Older ones have no maker, and a day to live.
create function af_link_holds(p_link one_time_links) returns boolean language sql stable
  security definer set search_path = pg_catalog, public, pg_temp as $$
  select p_link.purpose <> 'password_reset' or exists (
    select from users u where u.id = p_link.made_by and u.status = 'active' and 'global:admin' = any(u.scopes))
$$;
