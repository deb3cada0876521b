-- Returns the version that a run has pinned, for the run itself: its owner may have lost the share that they started it by. Whether it may
-- continue is checked elsewhere (`control`, af_may_run).
create function af_run_playbook(p_run uuid) returns table (id uuid, definition_id uuid, version_no integer,
  declared_version text, content_hash text, source_format text, created_at timestamptz, owner_id uuid, slug text, source text,
  body json) language plpgsql stable rows 1 security definer set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_column
begin
  return query
    select v.id, v.playbook_id, v.version_no, v.declared_version, v.content_hash, v.source_format, v.created_at, v.owner_id,
        d.slug, v.source, v.plan
      from runs r join playbook_versions v on v.id = r.playbook_version_id join playbooks d on d.id = v.playbook_id
      where r.id = p_run;
end $$;
