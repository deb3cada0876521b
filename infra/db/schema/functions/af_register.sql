-- Registers a person; an invitation gives handle and scopes. Without one the caller has checked that registration is open.
create function af_register(p_id uuid, p_handle text, p_name text, p_password text, p_invite text) returns text
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_invite invites;
begin
  if p_invite is not null then
    select i.* into v_invite from invites i join users u on u.id = i.owner_id and u.status = 'active'
      where i.hash = p_invite and i.accepted_at is null and i.revoked_at is null and i.expires_at > clock_timestamp()
      for update of i;
    if not found or coalesce(v_invite.handle, p_handle) <> p_handle then
      return 'invalid';
    end if;
  end if;
  insert into users (id, handle, display_name, scopes) values (p_id, p_handle, p_name, coalesce(v_invite.scopes, '{}'))
    on conflict (handle) do nothing;
  if not found then
    return 'taken';
  end if;
  insert into passwords (owner_id, hash) values (p_id, p_password);
  update invites set accepted_at = clock_timestamp(), accepted_by = p_id where id = v_invite.id;
  return 'ok';
end $$;
