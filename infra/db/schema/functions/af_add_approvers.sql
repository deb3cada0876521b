-- Adds the approvers that a playbook names as {users, teams, scopes}, and returns the names that exist for nobody. A team must be one of
-- the run's owner. Of several teams with one name the oldest membership counts: anybody can make a team and add the owner to it.
create function af_add_approvers(p_approval approvals, p_who json, p_source text) returns text[] language plpgsql as $$
declare
  v_name text;
  v_subject text;
  v_active boolean;
  v_unknown text[] := '{}';
begin
  for v_name, v_subject, v_active in
    select n.value, 'user:' || u.id, af_active_user(u.id)
      from json_array_elements_text(p_who -> 'users') n, lateral (select af_find_user(n.value) as id) u
    union all
    select n.value, (select 'team:' || t.id from teams t join team_members m on m.team_id = t.id
        where m.user_id = p_approval.owner_id and t.deleted_at is null and (t.id = af_uuid(n.value) or t.name = n.value)
        order by t.id is not distinct from af_uuid(n.value) desc, m.created_at, t.id limit 1), true
      from json_array_elements_text(p_who -> 'teams') n
    union all
    select n.value, 'scope:' || n.value, true from json_array_elements_text(p_who -> 'scopes') n
  loop
    if v_subject is null or not v_active then
      v_unknown := v_unknown || v_name;
    end if;
    if v_subject is not null then
      insert into approval_approvers (approval_id, subject, source, granted_by, owner_id, requested_at)
      values (p_approval.id, v_subject, p_source, p_approval.owner_id, p_approval.owner_id, p_approval.requested_at)
      on conflict do nothing;
    end if;
  end loop;
  return v_unknown;
end $$;
