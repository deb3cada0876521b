-- Lists the scopes of a call: those of the key that its owner still has.
create function af_scopes_of(p_user uuid, p_key uuid) returns setof text language plpgsql stable as $$
begin
  if p_key is null then
    return query select unnest(u.scopes) from users u where u.id = p_user;
  else
    return query select s from users u
      join api_keys k on k.id = p_key and k.owner_id = u.id
      cross join lateral unnest(coalesce(k.scopes, u.scopes)) s
      where u.id = p_user and (k.scopes is null or af_covers(u.scopes, s));
  end if;
end $$;
