-- Uses up a decision link and returns its decision, whose id is the link's. p_user: the person who is signed in; null: nobody.
create function af_use_approval_link(p_hash text, p_user uuid, p_answer text, p_instructions text, out code text,
  out decision_id uuid, out approval_id uuid, out user_id uuid) language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_link approval_links;
  v_row approvals;
begin
  select * into v_link from approval_links l where l.token_hash = p_hash for update;
  select * into v_row from approvals a where a.id = v_link.approval_id for key share;
  decision_id := v_link.decision_id;
  approval_id := v_link.approval_id;
  user_id := v_link.user_id;
  if v_link.id is null or not af_active_user(v_link.user_id) then
    code := 'link_not_found';
  elsif p_user is null and not (v_row.link_only and v_link.created_by = v_link.user_id) then
    code := 'sign_in_first';
  elsif p_user <> v_link.user_id then
    code := 'link_of_another';
  elsif v_link.used_at is not null then
    code := 'link_used';
  elsif v_row.status in ('waiting', 'timed_out') and v_row.due_at <= clock_timestamp() then
    code := 'approval_due_passed';
  elsif v_row.status <> 'waiting' then
    code := 'approval_already_decided';
  else
    update approval_links l set used_at = clock_timestamp() where l.id = v_link.id;
    insert into approval_decisions (approval_id, decision_id, run_id, owner_id, actor, actor_id, via, decision, instructions,
      digest)
    select v_row.id, v_link.decision_id, v_row.run_id, v_row.owner_id, u.handle, u.id, 'link', p_answer, p_instructions,
        v_link.digest
      from users u where u.id = v_link.user_id;
  end if;
end $$;
