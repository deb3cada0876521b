-- Continues the sub-playbook of a step that is tried again where the earlier one ended. A retry that a person asked for uses
-- af_retry_child.
create function af_repeat_child(p_id uuid, p_owner uuid, p_before uuid, p_parent uuid, p_path text, p_key text)
returns setof runs language plpgsql rows 1 security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_parent runs;
  v_before runs;
  v_new af_child_retry;
  v_stops text[];
begin
  select * into v_parent from runs where id = p_parent and owner_id = p_owner;
  select r.* into v_before from runs r
    where r.owner_id = p_owner and r.id = coalesce(p_before, (select b.run_id from af_child_before(p_parent, p_owner, p_path) b));
  if v_before.id is null then
    return;
  end if;
  if p_before is null and (v_before.status in ('complete', 'partial')
    or v_before.status in ('failed', 'rejected', 'timed_out') and not p_path = any(af_stops(v_parent.retry_of))) then
    return query select * from runs where id = v_before.id;
    return;
  end if;
  if not af_closed(v_before.status) and v_before.workflow_started_at is not null then
    return;
  end if;
  v_stops := af_stops(v_before.id);
  v_new.id := p_id;
  v_new.path := p_path;
  v_new.key := p_key;
  v_new.begins_with := v_stops[1];
  v_new.presets := af_answers_of(v_before.id);
  if not af_insert_repeat(v_new, v_before, v_parent, v_before.effect_keys, false) then
    return query select * from runs where id = p_id and owner_id = p_owner;
    return;
  end if;
  perform af_take_over(v_before.id, p_id, array(select s.step_path from step_results s
    where s.run_id = v_before.id and s.status = 'ok' union select a.step_path from step_attempts a
    where a.run_id = v_before.id and a.resolution = 'done'));
  insert into step_results (run_id, effect_key, try_no, owner_id, step_path, step_name, action, status, input, output, error,
      started_at, finished_at, copied_from)
    select p_id, s.effect_key, s.try_no, s.owner_id, s.step_path, s.step_name, s.action, s.status, s.input, s.output, s.error,
      s.started_at, s.finished_at, coalesce(s.copied_from, s.run_id)
    from step_results s where s.run_id = v_before.id and s.status = 'failed'
      and not (s.error::text like '%"retryable":true%'
        and exists (select from unnest(v_stops) stop where s.step_path = stop or starts_with(s.step_path, stop || '/')
          or starts_with(s.step_path, stop || '[')));
  perform af_ask_again(v_before.id, p_id);
  return query select * from runs where id = p_id;
end $$;
