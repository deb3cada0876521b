-- Lists the people behind an approver's subject who may decide.
create function af_people_of(p_subject text) returns setof uuid language plpgsql as $$
declare
  v_kind constant text := split_part(p_subject, ':', 1);
  v_rest constant text := substr(p_subject, length(v_kind) + 2);
begin
  return query
    select u.id from users u where case v_kind
        when 'user' then u.id = af_uuid(v_rest)
        when 'team' then exists (select from team_members m join teams t on t.id = m.team_id
          where t.id = af_uuid(v_rest) and m.user_id = u.id and t.deleted_at is null and m.role <> 'viewer')
        else v_rest = any(u.scopes) end
      and af_active_user(u.id);
end $$;
