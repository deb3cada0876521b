-- Returns why the caller may not decide a request; null: they may. After the due time nobody may.
create function app_decider(p_approval uuid, p_key uuid default null) returns text language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_row approvals;
begin
  select * into v_row from approvals where id = p_approval;
  return coalesce((af_decider(v_row, app_uid(), p_key)).code,
    case when v_row.status = 'waiting' and v_row.due_at <= clock_timestamp() then 'approval_due_passed' end);
end $$;
