-- Writes an entry of the audit log. Where the caller does not know the digest before the change, the object's last entry gives it.
create function af_audit(p_entry json) returns void language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_entry constant af_audit_entry := json_populate_record(null::af_audit_entry, p_entry);
begin
  insert into audit_log (owner_id, actor, means, credential_id, action, object_type, object_id, peer, request_id,
      before_digest, after_digest, object_path)
    values (v_entry.owner, v_entry.actor, v_entry.means, v_entry.credential, v_entry.action, v_entry.type, v_entry.object,
      v_entry.peer, v_entry.request,
      coalesce(v_entry.before, (select a.after_digest from audit_log a where a.object_path = v_entry.path
        order by a.at desc, a.id desc limit 1)), v_entry.after, v_entry.path);
end $$;
