-- Records that a request is about to leave, before it does; where the answer says `sent: false` it must not leave. Reasons:
--   closed           the run has ended or is cancelled
--   recorded         the try has a result already
--   superseded       another worker has begun the try since
--   done_before      another run of the family did this with the same inputs (p_input, digest), and nobody asked for a repeat; with its output
--   outcome_unknown  this run or another one of the family (`elsewhere`) sent it, and nobody knows what happened
--   other_body       another body left under the key itself since the try began
--   no_attempt       the try was never begun
create function af_effect_sent(p_run uuid, p_effect json, p_input json) returns json language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_new constant af_new_effect := json_populate_record(null::af_new_effect, p_effect);
  v_run record;
  v_seq bigint;
  v_reason text;
  v_output json;
begin
  select owner_id, control, status, seq, watched_until, effect_root into v_run from runs where id = p_run for no key update;
  if not found or v_run.control = 'cancel' or af_closed(v_run.status) then
    return json_build_object('sent', false, 'control', 'cancel', 'reason', 'closed');
  end if;
  if v_run.effect_root is not null then
    perform pg_advisory_xact_lock(hashtextextended(v_new.effect_key, 51));
  end if;
  if coalesce(v_new.digest, p_input::text) is not null and v_run.effect_root is not null and not starts_with(v_new.effect_key, p_run || '/')
    and not exists (select from step_attempts a
      where a.run_id = p_run and a.effect_key = v_new.effect_key and a.try_no = v_new.try_no and a.effect_sent_at >= a.first_started_at) then
    v_output := af_done_before(p_run, v_run.effect_root, v_new.effect_key, p_input, v_new.digest);
  end if;
  if af_recorded(p_run, v_new.effect_key, v_new.try_no) is not null then
    v_reason := 'recorded';
  elsif v_new.worker is not null and exists (
    select 1 from step_attempts a
      where a.run_id = p_run and a.effect_key = v_new.effect_key and a.try_no = v_new.try_no and a.worker is distinct from v_new.worker
  ) then
    v_reason := 'superseded';
  elsif v_output is not null then
    v_reason := 'done_before';
  elsif v_new.effect = 'unsafe' and exists (
    select 1 from step_attempts a
      where a.run_id = p_run and a.effect_key = v_new.effect_key and a.effect = 'unsafe' and a.effect_sent_count > 0
        and coalesce(a.resolution, '') not in ('repeat', 'not_done')
        and not exists (select 1 from step_results r
          where r.run_id = p_run and r.effect_key = v_new.effect_key and r.try_no = a.try_no)
  ) then
    v_reason := 'outcome_unknown';
  elsif v_new.effect = 'unsafe' and af_left_elsewhere(p_run, v_run.effect_root, v_new.effect_key, v_new.digest) then
    v_reason := 'outcome_unknown';
  elsif v_new.left_as is null and v_new.digest is not null and v_run.effect_root is not null
    and exists (select from json_array_elements(af_left_with(p_run, v_run.effect_root, v_new.effect_key)) l
      where l ->> 'key' = v_new.effect_key and l ->> 'digest' <> v_new.digest) then
    v_reason := 'other_body';
  else
    update step_attempts set effect = v_new.effect, effect_target = v_new.target, effect_sent_count = effect_sent_count + 1,
      effect_sent_at = clock_timestamp(), resolution = null, input_digest = v_new.digest, left_as = v_new.left_as
      where run_id = p_run and effect_key = v_new.effect_key and try_no = v_new.try_no;
    if not found then
      v_reason := 'no_attempt';
    end if;
  end if;
  if v_reason is not null then
    return json_build_object('sent', false, 'control', v_run.control, 'reason', v_reason,
      'output', case when v_reason = 'done_before' then v_output end,
      'elsewhere', case when v_reason = 'outcome_unknown' then af_sent_elsewhere(p_run, v_new.effect_key, v_new.digest) end);
  end if;
  v_seq := af_append(p_run, v_run.owner_id, v_run.seq, v_new.events);
  perform af_touch(p_run, v_run.seq, v_seq, null, v_run.watched_until);
  return json_build_object('sent', true, 'control', v_run.control, 'reason', null);
end $$;
