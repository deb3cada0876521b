-- Lists by name who is asked: everybody who sees a request sees who else decides.
create function app_approvers(p_approval uuid) returns table (subject text, source text, granted_by uuid, name text)
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_column
begin
  return query
    select r.subject, r.source, r.granted_by, case split_part(r.subject, ':', 1)
        when 'user' then (select u.handle from users u where u.id = af_uuid(split_part(r.subject, ':', 2)))
        when 'team' then (select t.name from teams t where t.id = af_uuid(split_part(r.subject, ':', 2)))
        else substr(r.subject, 7) end
    from approval_approvers r where r.approval_id = p_approval and af_sees_approval(p_approval, app_uid())
    order by r.source, r.subject, r.granted_by;
end $$;
