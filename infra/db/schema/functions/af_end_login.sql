-- After a sign-in that worked, the failures of the same account count no more.
create function af_end_login(p_attempt bigint) returns void language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  update login_attempts set ok = true where account = (select account from login_attempts where id = p_attempt) and not ok;
end $$;
