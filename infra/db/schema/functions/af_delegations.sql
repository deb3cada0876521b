-- Resolves to whom each person had delegated at p_at. A delegation that was taken back names the person themselves.
create function af_delegations(p_approval uuid, p_at timestamptz) returns table (granted_by uuid, delegate uuid)
language plpgsql stable as $$
begin
  return query
    select d.actor_id, d.to_user from (
      select distinct on (af_person(t.actor_id)) t.actor_id, af_uuid(t.body ->> 'user_id') as to_user from approval_acts t
        where t.approval_id = p_approval and t.kind = 'delegated' and t.at <= p_at
        order by af_person(t.actor_id), t.at desc, t.id desc) d
    where d.to_user <> d.actor_id;
end $$;
