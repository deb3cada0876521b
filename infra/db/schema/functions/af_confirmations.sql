-- All that a call must know before it may send one secret: what is confirmed for it, and what the connector began with.
-- reused: a deleted connector of this name sent it, by its own text or as a profile bound it, so that this beginning is not the first. What was
-- bound can be told by its confirmations alone: those that were there before this connector, be they given again since.
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
