-- Returns the person behind an account: a service account counts as its maker, so that it is never a second pair of eyes.
create function af_person(p_user uuid) returns uuid language plpgsql stable as $$
begin
  return coalesce((select u.managed_by from users u where u.id = p_user), p_user);
end $$;
