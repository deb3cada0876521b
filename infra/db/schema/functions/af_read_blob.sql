-- Reads chunks as base64: the driver would decode binary rows as text, and base64 is the shortest and fastest text.
create function af_read_blob(p_scope uuid, p_sha256 text, p_from integer, p_limit integer) returns table (data text)
language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  return query select encode(c.data, 'base64') from blob_chunks c
    where c.scope = p_scope and c.sha256 = p_sha256 and c.no >= p_from order by c.no limit p_limit;
end $$;
