-- Lists the subjects that a person answers for as an approver. Viewers of a team may look but not decide.
create function af_subjects(p_user uuid, p_deciding boolean, p_key uuid default null) returns setof text
language plpgsql as $$
begin
  return query
    select 'user:' || p_user
    union all
    select 'team:' || m.team_id from team_members m join teams t on t.id = m.team_id
      where m.user_id = p_user and t.deleted_at is null and not (p_deciding and m.role = 'viewer')
    union all
    select 'scope:' || scope from af_scopes_of(p_user, p_key) as scope;
end $$;
