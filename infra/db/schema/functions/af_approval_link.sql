-- Returns what a decision link is for, without using it up. No row: the token is unknown, or its person may no longer act. link_only: the
-- token alone decides. The maker of a link knows its token, so link_only holds only for links that people made for themselves.
create function af_approval_link(p_hash text) returns table (link_id uuid, approval_id uuid, user_id uuid, handle text,
  digest text, used_at timestamptz, link_only boolean) language plpgsql stable rows 1
  security definer set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_column
begin
  return query select l.id, l.approval_id, l.user_id, u.handle, l.digest, l.used_at,
      a.link_only and l.created_by = l.user_id
    from approval_links l join approvals a on a.id = l.approval_id join users u on u.id = l.user_id
    where l.token_hash = p_hash and af_active_user(l.user_id);
end $$;
