-- Finds an account by id or handle.
create function af_find_user(p_text text) returns uuid language plpgsql stable as $$
begin
  return (select u.id from users u where u.id = af_uuid(p_text) or u.handle = p_text
    order by u.id is not distinct from af_uuid(p_text) desc limit 1);
end $$;
