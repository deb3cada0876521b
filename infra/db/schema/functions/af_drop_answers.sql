-- Deletes the answers that a refused credential fetched: whoever lost the right to them must not see them.
create function af_drop_answers(p_owner uuid, p_connector text, p_credential text, p_endpoint text default null,
  p_credential_version text default null) returns void language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  delete from connector_cache where owner_id = p_owner and connector = p_connector and credential = p_credential
    and (p_endpoint is null or endpoint = p_endpoint)
    and (p_credential_version is null or credential_version = p_credential_version);
end $$;
