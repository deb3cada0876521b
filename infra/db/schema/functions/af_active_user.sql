-- Tests whether an account exists and may act.
create function af_active_user(p_user uuid) returns boolean language plpgsql as $$
begin
  return exists (select from users u where u.id = p_user and u.status = 'active');
end $$;
