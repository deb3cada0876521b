-- Adds a comment to a request. Returns `ok`, or the code of the refusal.
create function app_comment_approval(p_approval uuid, p_text text) returns text language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v record;
  v_act af_new_act;
begin
  select * into v from af_take_approval(p_approval, app_uid());
  if v.code is not null then
    return v.code;
  end if;
  v_act.kind := 'commented';
  v_act.actor := app_uid();
  v_act.body := json_build_object('text', p_text);
  perform af_act(v.approval, v.seq, v.watched, v_act);
  return 'ok';
end $$;
