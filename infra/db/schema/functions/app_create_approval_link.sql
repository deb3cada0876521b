-- Creates a decision link for a person who may decide. The run's owner may create it, and a person who decides in their own right.
create function app_create_approval_link(p_id uuid, p_approval uuid, p_user text, p_hash text) returns text
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v record;
  v_act af_new_act;
  v_row approvals;
  v_user uuid := af_find_user(p_user);
begin
  select * into v from af_take_approval(p_approval, app_uid());
  v_row := v.approval;
  if v.code is not null then
    return v.code;
  elsif v_row.owner_id <> app_uid() and not (af_has_right(v_row, app_uid(), true)
      and (af_decider(v_row, app_uid())).code is null) then
    return 'not_allowed';
  elsif v_user is null or not af_active_user(v_user) then
    return 'user_not_found';
  elsif (af_decider(v_row, v_user)).code is not null then
    return 'not_an_approver';
  end if;
  insert into approval_links (id, approval_id, owner_id, user_id, token_hash, digest, created_by)
  values (p_id, p_approval, v_row.owner_id, v_user, p_hash, af_shown_digest(v_row), app_uid());
  v_act.kind := 'linked';
  v_act.actor := app_uid();
  v_act.concerns := (select handle from users where id = v_user);
  v_act.body := json_build_object('link_id', p_id, 'user_id', v_user);
  perform af_act(v_row, v.seq, v.watched, v_act);
  return 'ok';
end $$;
