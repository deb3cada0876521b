-- Derives where an answer is kept. A shared answer goes by the content of the definition, so that all versions with the same text share it.
create function af_cache_place(p_owner uuid, p_version uuid, p_digest text, p_keyless boolean, out owner_id uuid,
  out key text) language plpgsql stable as $$
begin
  select case when p_keyless and c.origin = 'catalog' then null else p_owner end,
      case when p_keyless and c.origin = 'catalog' then v.content_hash else v.id::text end || ':' || p_digest
    into owner_id, key
    from connector_versions v join connectors c on c.id = v.connector_id where v.id = p_version;
end $$;
