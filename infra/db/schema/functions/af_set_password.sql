-- Sets a password, and ends all sessions but the current one and all links that would set another.
create function af_set_password(p_user uuid, p_hash text, p_keep uuid) returns void language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into passwords (owner_id, hash) values (p_user, p_hash)
    on conflict (owner_id) do update set hash = excluded.hash, changed_at = clock_timestamp();
  update sessions set revoked_at = clock_timestamp(), revoked_why = 'password_changed'
    where owner_id = p_user and revoked_at is null and id is distinct from p_keep;
  update one_time_links set used_at = clock_timestamp()
    where user_id = p_user and used_at is null and purpose in ('first_admin', 'password_reset');
end $$;
