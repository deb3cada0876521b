-- Tests whether the maker of a password link may still make one. Links from before makers were recorded have none; they last a day.
create function af_link_holds(p_link one_time_links) returns boolean language sql stable
  security definer set search_path = pg_catalog, public, pg_temp as $$
  select p_link.purpose <> 'password_reset' or exists (
    select from users u where u.id = p_link.made_by and u.status = 'active' and 'global:admin' = any(u.scopes))
$$;
