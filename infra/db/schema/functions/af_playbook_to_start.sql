-- Returns a playbook by slug or id with its latest version, and when this owner's latest successful run of it began.
create function af_playbook_to_start(p_owner uuid, p_ref text) returns table (id uuid, owner_id uuid, slug text, name text,
  description text, kind text, origin text, latest_version_id uuid, created_at timestamptz, updated_at timestamptz,
  version_no integer, declared_version text, last_started_at timestamptz) language plpgsql stable rows 1
  security definer set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_column
begin
  return query
    select f.*, (select r.started_at from runs r where r.owner_id = p_owner and r.playbook_id = f.id
        and r.status in ('complete', 'partial') and r.started_at is not null order by r.started_at desc limit 1)
    from (select d.id, d.owner_id, d.slug, d.name, d.description, d.category, d.origin, d.latest_version_id, d.created_at,
        d.updated_at, v.version_no, v.declared_version
      from playbooks d join playbook_versions v on v.id = d.latest_version_id
      where d.owner_id = p_owner and d.deleted_at is null and (d.slug = p_ref or d.id::text = lower(p_ref))
      order by (d.slug = p_ref) desc limit 1) f;
end $$;
