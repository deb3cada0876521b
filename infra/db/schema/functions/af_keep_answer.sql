-- Keeps the answer to a request in the transaction of its effect. Changes of accounts run as the platform, which has no right on the table.
-- False: the caller has lost the claim.
create function af_keep_answer(p_kept json, p_body json) returns boolean language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_new constant af_kept_answer := json_populate_record(null::af_kept_answer, p_kept);
begin
  update idempotency_keys set status = v_new.status, etag = v_new.etag, answer = p_body
    where owner_id = v_new.owner and method = v_new.method and route = v_new.route and key = v_new.key and claim_id = v_new.claim;
  return found;
end $$;
