-- Holds a new run that is above its owner's cap, or behind others that wait for room; the sweeper releases it. The process that makes runs
-- sets `af.owner_running_cap` for its connection; without it nothing is held. Children are never held: a held child would keep its parent
-- running for nothing.
create function af_hold_run() returns trigger language plpgsql as $$
declare
  v_cap constant integer := nullif(current_setting('af.owner_running_cap', true), '')::integer;
begin
  if v_cap is null or new.parent_run_id is not null or new.status <> 'pending' then
    return new;
  end if;
  perform af_lock_starts(new.owner_id);
  if exists (select from runs where owner_id = new.owner_id and status = 'pending' and status_code = 'owner_cap')
    or af_owner_room(new.owner_id, v_cap) <= 0 then
    new.status_code := 'owner_cap';
    new.status_message := format('%s runs of this owner may run at the same time: this one waits until it is its turn.', v_cap);
    new.waits := json_build_array(json_build_object('kind', 'owner_cap', 'code', 'owner_cap', 'message', new.status_message,
      'since', to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'until', null));
  end if;
  return new;
end $$;
