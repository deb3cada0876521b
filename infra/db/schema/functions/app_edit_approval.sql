-- Changes inputs of the action for everybody: p_edits (canonical JSON) stands in for all edits before. What was collected so
-- far was for another action. Edits that stand already change nothing, nor does none at all before the first. p_seen: the digest that the editor saw.
create function app_edit_approval(p_approval uuid, p_edits json, p_seen text) returns text language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v record;
  v_row approvals;
begin
  select * into v from af_take_approval(p_approval, app_uid());
  v_row := v.approval;
  if v.code is not null then
    return v.code;
  elsif v_row.owner_id <> app_uid() and (af_decider(v_row, app_uid())).code is not null
    and (af_decider(v_row, app_uid())).code <> 'four_eyes' then
    return (af_decider(v_row, app_uid())).code;
  elsif p_seen is distinct from af_shown_digest(v_row) then
    return 'approval_changed';
  elsif p_edits::text = coalesce(v_row.edits::text, '{}') then
    return 'ok';
  end if;
  update approval_decisions set superseded_at = clock_timestamp()
    where approval_id = p_approval and state = 'counted' and superseded_at is null;
  update approvals set edits = p_edits, edited_by = app_uid(), edited_at = clock_timestamp(),
    edited_digest = encode(sha256(convert_to(digest || E'\n' || p_edits::text, 'UTF8')), 'hex')
    where id = p_approval returning * into v_row;
  perform af_act(v_row, v.seq, v.watched, 'edited', app_uid(), null, p_edits);
  return 'ok';
end $$;
