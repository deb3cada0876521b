-- Shows the holder of a decision link which run it is about, who asks and how it ended, and nothing else of it. delegated_to: handle of the
-- person to whom they delegated.
create function af_linked_run(p_hash text) returns table (run_id uuid, playbook_slug text, playbook_name text, asked_by text,
  run_status text, delegated_to text)
  language plpgsql stable rows 1 security definer set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_column
begin
  return query select r.id, r.playbook_slug, r.playbook_name, u.handle, r.status,
      (select d.handle from af_delegations(a.id, clock_timestamp()) g join users d on d.id = g.delegate
        where af_person(g.granted_by) = af_person(l.user_id) limit 1)
    from approval_links l join approvals a on a.id = l.approval_id join runs r on r.id = a.run_id join users u on u.id =
      r.owner_id
    where l.token_hash = p_hash and af_active_user(l.user_id);
end $$;
