-- Selects the sessions and keys among p_ids that have ended: logged out, expired, revoked, or of an inactive account.
create function af_ended_credentials(p_ids uuid[]) returns setof uuid language plpgsql stable
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  return query select i.id from unnest(p_ids) as i (id)
    where not exists (select from sessions s join users u on u.id = s.owner_id and u.status = 'active'
        where s.id = i.id and s.revoked_at is null and s.expires_at > clock_timestamp())
      and not exists (select from api_keys k join users u on u.id = k.owner_id and u.status = 'active'
        where k.id = i.id and k.revoked_at is null and (k.expires_at is null or k.expires_at > clock_timestamp()));
end $$;
