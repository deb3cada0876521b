-- What happens to accounts is the platform's transaction, and the answer to a request is kept in the transaction of its effect.
-- False: whoever asks does not hold the claim any more.
create function af_keep_answer(p_owner uuid, p_method text, p_route text, p_key text, p_claim uuid, p_status integer, p_etag text,
  p_answer json) returns boolean language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  update idempotency_keys set status = p_status, etag = p_etag, answer = p_answer
    where owner_id = p_owner and method = p_method and route = p_route and key = p_key and claim_id = p_claim;
  return found;
end $$;
