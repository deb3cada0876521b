-- Ends a run and lists the sub-playbooks that ended with it because they had not begun, so that the caller announces all of these ends.
create function af_finish_tree(p_run uuid, p_end json, p_events json, p_result json) returns json language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_pending uuid[];
  v_answer json;
begin
  -- Includes children that are still pending: one that begins meanwhile waits for the lock, or is no longer pending.
  perform from runs where id = p_run for no key update;
  v_pending := array(with recursive below as (
      select id from runs where parent_run_id = p_run and status = 'pending'
      union all select r.id from runs r join below b on r.parent_run_id = b.id where r.status = 'pending')
    select id from below);
  v_answer := af_finish(p_run, p_end, p_events, p_result);
  if not coalesce((v_answer ->> 'closed')::boolean, false) or cardinality(v_pending) = 0 then
    return v_answer;
  end if;
  return (select json_build_object('status', v_answer -> 'status', 'closed', true, 'seq', v_answer -> 'seq',
      'children', coalesce(json_agg(json_build_object('id', r.id, 'playbook_slug', r.playbook_slug, 'owner_id', r.owner_id,
        'created_at', r.created_at, 'status', r.status, 'code', r.status_code) order by r.id), '[]'::json))
    from runs r where r.id = any(v_pending) and r.status = 'cancelled');
end $$;
