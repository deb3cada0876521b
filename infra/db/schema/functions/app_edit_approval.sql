-- Replaces the edits of an action for everybody: p_edits is canonical JSON and stands for all earlier edits. Approvals collected before
-- were for another action and no longer count. The same edits again, or none before the first, change nothing. p_seen: the digest that the
-- editor saw.
create function app_edit_approval(p_approval uuid, p_edits json, p_seen text) returns text language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v record;
  v_act af_new_act;
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
  v_act.kind := 'edited';
  v_act.actor := app_uid();
  v_act.body := p_edits;
  perform af_act(v_row, v.seq, v.watched, v_act);
  return 'ok';
end $$;
