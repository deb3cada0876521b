create function af_audit(p_owner uuid, p_actor text, p_means text, p_credential uuid, p_action text, p_type text,
  p_object text, p_peer text, p_request text, p_before text, p_after text, p_path text) returns void language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into audit_log (owner_id, actor, means, credential_id, action, object_type, object_id, peer, request_id,
      before_digest, after_digest, object_path)
    values (p_owner, p_actor, p_means, p_credential, p_action, p_type, p_object, p_peer, p_request,
      coalesce(p_before, (select a.after_digest from audit_log a where a.object_path = p_path
        order by a.at desc, a.id desc limit 1)), p_after, p_path);
end $$;
