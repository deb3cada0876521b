-- Writes a content of one chunk. p_scope: an owner, or the nil UUID.
create function af_put_blob(p_scope uuid, p_sha256 text, p_size bigint, p_data bytea) returns void language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into blobs (scope, sha256, size, chunks) values (p_scope, p_sha256, p_size, 1) on conflict do nothing;
  if found then
    insert into blob_chunks (scope, sha256, no, data) values (p_scope, p_sha256, 0, p_data);
  end if;
end $$;
