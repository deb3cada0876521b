-- Marks a sign-in as successful, so that earlier failures of the account no longer count.
create function af_end_login(p_attempt bigint) returns void language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  update login_attempts set ok = true where account = (select account from login_attempts where id = p_attempt) and not ok;
end $$;
