-- Collects what a call must know before it sends one secret: the confirmed origins, and those that the connector began with. reused: a
-- deleted connector of this name sent the secret before (by its own text or a binding), so this beginning is not the first. A binding
-- leaves only confirmations behind: those older than this connector count, even if they were renewed.
create function af_confirmations(p_owner uuid, p_version uuid, p_secret text) returns table (connector text, reused boolean,
  first_definition json, confirmed json) language plpgsql stable
  security definer set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_column
begin
  return query
    select c.slug,
        exists (select from connectors d
          where d.owner_id = c.owner_id and d.slug = c.slug and d.id <> c.id and d.deleted_at is not null
            and (exists (select from connector_versions w
                where w.connector_id = d.id and w.definition #>> '{connection,auth,secret,secret}' = p_secret)
              or exists (select from connector_confirmations o
                where o.owner_id = c.owner_id and o.connector = c.slug and o.secret = p_secret
                  and o.first_at < c.created_at))),
        f.definition,
        coalesce((select json_agg(o.origins order by o.confirmed_at, o.id) from connector_confirmations o
          where o.owner_id = p_owner and o.connector = c.slug and o.secret = p_secret and o.confirmed_at >= c.created_at), '[]')
      from connector_versions v join connectors c on c.id = v.connector_id
      join lateral (select w.definition from connector_versions w where w.connector_id = c.id order by w.version_no limit 1) f
        on true
      where v.id = p_version and v.owner_id = p_owner;
end $$;
