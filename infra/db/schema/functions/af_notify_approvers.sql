-- Notifies everybody who can answer, once each. It writes notifications; their delivery happens elsewhere.
create function af_notify_approvers(p_approval approvals, p_kind text, p_source text) returns void language plpgsql as $$
begin
  insert into notifications (id, owner_id, kind, title, run_id, approval_id)
  select gen_random_uuid(), w.person, p_kind, left(p_approval.prompt, 200), p_approval.run_id, p_approval.id from (
    select af_people_of(r.subject) as person from approval_approvers r
      where r.approval_id = p_approval.id and r.source = p_source
    union
    select p_approval.owner_id where p_source = 'named' and not p_approval.named) w;
end $$;
