-- For builds that do not say which worker it is.
create function af_effect_sent(p_run uuid, p_effect_key text, p_try_no integer, p_effect text, p_target text, p_events json)
returns json language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  select af_effect_sent(p_run, p_effect_key, p_try_no, p_effect, p_target, p_events, null)
$$;

-- `outcome_unknown` also where another run with these keys sent it: `elsewhere`. `done_before`, with the output: a run of the same
-- family did this with the inputs `p_input` (`p_digest`) at this place, and nobody asked for it once more. `other_body`: another one left
-- under the key itself meanwhile.
create function af_effect_sent(p_run uuid, p_effect_key text, p_try_no integer, p_effect text, p_target text, p_events json,
  p_worker text, p_input json default null, p_digest text default null, p_left_as text default null)
returns json language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
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
    perform pg_advisory_xact_lock(hashtextextended(p_effect_key, 51));
  end if;
  if coalesce(p_digest, p_input::text) is not null and v_run.effect_root is not null and not starts_with(p_effect_key, p_run || '/')
    and not exists (select from step_attempts a
      where a.run_id = p_run and a.effect_key = p_effect_key and a.try_no = p_try_no and a.effect_sent_at >= a.first_started_at) then
    v_output := af_done_before(p_run, v_run.effect_root, p_effect_key, p_input, p_digest);
  end if;
  if af_recorded(p_run, p_effect_key, p_try_no) is not null then
    v_reason := 'recorded';
  elsif p_worker is not null and exists (
    select 1 from step_attempts a
      where a.run_id = p_run and a.effect_key = p_effect_key and a.try_no = p_try_no and a.worker is distinct from p_worker
  ) then
    v_reason := 'superseded';
  elsif v_output is not null then
    v_reason := 'done_before';
  elsif p_effect = 'unsafe' and exists (
    select 1 from step_attempts a
      where a.run_id = p_run and a.effect_key = p_effect_key and a.effect = 'unsafe' and a.effect_sent_count > 0
        and coalesce(a.resolution, '') not in ('repeat', 'not_done')
        and not exists (select 1 from step_results r
          where r.run_id = p_run and r.effect_key = p_effect_key and r.try_no = a.try_no)
  ) then
    v_reason := 'outcome_unknown';
  elsif p_effect = 'unsafe' and af_left_elsewhere(p_run, v_run.effect_root, p_effect_key, p_digest) then
    v_reason := 'outcome_unknown';
  elsif p_left_as is null and p_digest is not null and v_run.effect_root is not null
    and exists (select from json_array_elements(af_left_with(p_run, v_run.effect_root, p_effect_key)) l
      where l ->> 'key' = p_effect_key and l ->> 'digest' <> p_digest) then
    v_reason := 'other_body';
  else
    update step_attempts set effect = p_effect, effect_target = p_target, effect_sent_count = effect_sent_count + 1,
      effect_sent_at = clock_timestamp(), resolution = null, input_digest = p_digest, left_as = p_left_as
      where run_id = p_run and effect_key = p_effect_key and try_no = p_try_no;
    if not found then
      v_reason := 'no_attempt';
    end if;
  end if;
  if v_reason is not null then
    return json_build_object('sent', false, 'control', v_run.control, 'reason', v_reason,
      'output', case when v_reason = 'done_before' then v_output end,
      'elsewhere', case when v_reason = 'outcome_unknown' then af_sent_elsewhere(p_run, p_effect_key, p_digest) end);
  end if;
  v_seq := af_append(p_run, v_run.owner_id, v_run.seq, p_events);
  perform af_touch(p_run, v_run.seq, v_seq, null, v_run.watched_until);
  return json_build_object('sent', true, 'control', v_run.control, 'reason', null);
end $$;
