-- Returns the latest versions of connectors by the slug or id that was asked for.
create function af_latest_connectors(p_owner uuid, p_refs text[]) returns table (ref text, latest_version_id uuid)
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_column
begin
  return query
    select w.ref, f.latest_version_id from unnest(p_refs) as w (ref)
    cross join lateral (select d.latest_version_id from connectors d
      where d.owner_id = p_owner and d.deleted_at is null and d.latest_version_id is not null
        and (d.slug = w.ref or d.id::text = lower(w.ref))
      order by (d.slug = w.ref) desc limit 1) f;
end $$;
