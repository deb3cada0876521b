-- Returns what a one-time link or an invitation is for, while it can be used. It uses nothing up.
create function af_link(p_hash text) returns table (purpose text, user_id uuid, handle text, loopback boolean,
  expires_at timestamptz) language plpgsql stable rows 1
  security definer set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_column
begin
  return query
    select l.purpose, u.id, u.handle, l.loopback, l.expires_at from one_time_links l join users u on u.id = l.user_id
      where l.hash = p_hash and l.used_at is null and l.expires_at > clock_timestamp() and u.status = 'active'
        and af_link_holds(l)
    union all
    select 'invite', null, i.handle, false, i.expires_at from invites i join users u on u.id = i.owner_id
      where i.hash = p_hash and i.accepted_at is null and i.revoked_at is null and i.expires_at > clock_timestamp()
        and u.status = 'active';
end $$;
