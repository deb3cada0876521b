-- Whoever holds the token decides about this run: they see which it is and who asks, and nothing else of it.
create function af_linked_run(p_hash text) returns table (run_id uuid, playbook_slug text, playbook_name text, asked_by text)
  language plpgsql stable rows 1 security definer set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_column
begin
  return query select r.id, r.playbook_slug, r.playbook_name, u.handle
    from approval_links l join approvals a on a.id = l.approval_id join runs r on r.id = a.run_id join users u on u.id =
      r.owner_id
    where l.token_hash = p_hash and af_active_user(l.user_id);
end $$;
