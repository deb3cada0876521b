-- Writes seq and a status patch {no, status, code, message, waits, steps_done, steps_total} in one update and wakes readers. It ignores an
-- older patch, and a patch with a closed status: only af_finish ends a run.
create function af_touch(p_run uuid, p_old_seq bigint, p_seq bigint, p_patch json, p_watched timestamptz) returns void
language plpgsql as $$
declare
  v_done boolean := false;
begin
  if p_patch is not null then
    update runs r set
      seq = p_seq,
      patch_no = n.no,
      status = coalesce(n.status, r.status),
      status_code = n.code,
      status_message = n.message,
      covered = null,
      waits = coalesce(n.waits::json, r.waits),
      steps_done = coalesce(n.steps_done, r.steps_done),
      steps_total = coalesce(n.steps_total, r.steps_total),
      started_at = coalesce(r.started_at, clock_timestamp()),
      updated_at = clock_timestamp()
    from json_to_record(p_patch) as n (no bigint, status text, code text, message text, waits text, steps_done integer,
      steps_total integer)
    where r.id = p_run and r.patch_no < n.no and af_closed(n.status) is not true;
    v_done := found;
  end if;
  if not v_done and p_seq <> p_old_seq then
    update runs set seq = p_seq, started_at = coalesce(started_at, clock_timestamp()), updated_at = clock_timestamp()
      where id = p_run;
    v_done := true;
  end if;
  if v_done and p_watched > clock_timestamp() then
    perform pg_notify('af_run', p_run::text);
  end if;
end $$;
