-- Tests whether a content exists, without reading it.
create function af_has_blob(p_scope uuid, p_sha256 text) returns boolean language plpgsql stable
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  return exists (select from blobs where scope = p_scope and sha256 = p_sha256);
end $$;
