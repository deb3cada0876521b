-- Lists what a person may do with a request now, with the key that they used if any: each act as its own function would answer. General
-- limits of a key (read only, no decisions) are checked by the API.
create function app_approval_acts(p_approval uuid, p_key uuid default null) returns text[] language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_row approvals;
  v_over text;
  -- Finds why they may not decide with this key, whose rights may be fewer.
  v_code text;
  v_key_code text;
  v_reached boolean;
  v_answered boolean;
  v_answered_for boolean;
begin
  select * into v_row from approvals where id = p_approval;
  if v_row.id is null or not af_sees_approval(p_approval, app_uid()) then
    return '{}';
  end if;
  select af_over(v_row, r.status, r.control) into v_over from runs r where r.id = v_row.run_id;
  if v_over is not null then
    return '{}';
  end if;
  v_code := (af_decider(v_row, app_uid())).code;
  v_key_code := case when p_key is null then v_code else (af_decider(v_row, app_uid(), p_key)).code end;
  v_reached := v_key_code is null or v_key_code is not distinct from v_code;
  select coalesce(bool_or(af_person(d.actor_id) = af_person(app_uid())), false),
      coalesce(bool_or(af_person(app_uid()) in (af_person(d.actor_id), af_person(d.acting_for))), false)
    into v_answered, v_answered_for from approval_decisions d
    where d.approval_id = p_approval and d.state = 'counted' and d.superseded_at is null;
  return array_remove(array[
    case when v_key_code is null and not v_answered then 'approve' end,
    case when v_key_code is null then 'reject' end,
    case when v_row.owner_id = app_uid() or coalesce(v_code = 'four_eyes', true) and v_reached then 'edit' end,
    case when af_has_right(v_row, app_uid(), true) and coalesce(v_code = 'delegated_away', true) and v_reached
      and not v_answered_for then 'delegate' end,
    'comment'], null);
end $$;
