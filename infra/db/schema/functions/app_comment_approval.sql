-- Words beside a request. Gives `ok`, or the code of why not.
create function app_comment_approval(p_approval uuid, p_text text) returns text language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v record;
begin
  select * into v from af_take_approval(p_approval, app_uid());
  if v.code is not null then
    return v.code;
  end if;
  perform af_act(v.approval, v.seq, v.watched, 'commented', app_uid(), null, json_build_object('text', p_text));
  return 'ok';
end $$;
