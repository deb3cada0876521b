-- Appends an entry to the hash chain of an owner: hash = sha256(prev_hash || entry) in hex; the first prev_hash is 64 zeros.
create function af_log_decision(p_owner uuid, p_entry text) returns void language plpgsql as $$
declare
  v_last record;
begin
  perform 1 from users where id = p_owner for no key update;
  select no, hash into v_last from decision_log where owner_id = p_owner order by no desc limit 1;
  insert into decision_log (owner_id, no, entry, prev_hash, hash)
  values (p_owner, coalesce(v_last.no, 0) + 1, p_entry, coalesce(v_last.hash, repeat('0', 64)),
    encode(sha256(convert_to(coalesce(v_last.hash, repeat('0', 64)) || p_entry, 'UTF8')), 'hex'));
end $$;
