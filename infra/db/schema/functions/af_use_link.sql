-- Uses up a one-time link: p_password is the hash for a link that sets a password, p_handle and p_name describe the first administrator.
create function af_use_link(p_hash text, p_password text, p_handle text, p_name text)
returns table (outcome text, user_id uuid, handle text) language plpgsql rows 1
  security definer set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_column
declare
  v_link one_time_links;
  v_user users;
begin
  select * into v_link from one_time_links l where l.hash = p_hash and l.used_at is null
    and l.expires_at > clock_timestamp() for update;
  if found and af_link_holds(v_link) then
    select * into v_user from users u where u.id = v_link.user_id and u.status = 'active' for update;
  end if;
  if v_user.id is null then
    return query select 'invalid', null::uuid, null;
    return;
  end if;
  if v_link.purpose = 'first_admin' then
    if exists (select from users u where u.handle = p_handle and u.id <> v_user.id) then
      return query select 'taken', null::uuid, null;
      return;
    end if;
    update users u set handle = p_handle, display_name = p_name where u.id = v_user.id;
    v_user.handle := p_handle;
  end if;
  update one_time_links set used_at = clock_timestamp() where id = v_link.id;
  if v_link.purpose <> 'sign_in' then
    perform af_set_password(v_user.id, p_password, null);
  end if;
  return query select 'ok', v_user.id, v_user.handle;
end $$;
