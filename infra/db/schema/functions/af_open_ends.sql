-- Builds end events for the steps that the log shows as open, in the form of af_append: no step stays open after its run.
create function af_open_ends(p_run uuid, p_status text) returns json language plpgsql stable as $$
begin
  return (
    select json_agg(json_build_object('id', 'closed:' || s.step_path || ':' || s.seq, 'type', 'step.finished',
        'step_path', s.step_path, 'payload', json_build_object('at',
          to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'step', regexp_replace(regexp_replace(s.step_path, '/~.*$', ''), '^.*/', ''),
          'status', case s.type when 'step.attempt_failed' then 'failed' else 'cancelled' end, 'try_no', 1,
          'error', json_build_object('code', 'run_closed', 'message', format('The run ended (%s) before this step did.', p_status))
        )::text) order by s.seq)
    from (select distinct on (e.step_path) e.step_path, e.type, e.seq from run_events e
        where e.run_id = p_run and e.step_path is not null and e.type in ('step.started', 'step.waiting',
          'step.attempt_failed', 'step.finished', 'step.skipped', 'child.started')
        order by e.step_path, e.seq desc) s
    where s.type not in ('step.finished', 'step.skipped'));
end $$;
