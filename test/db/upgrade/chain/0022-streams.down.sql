set local role af_migrate;
drop trigger runs_hold on runs;
drop function af_hold_run();
drop function af_owner_room(uuid, integer);
drop function af_lock_starts(uuid);
-- Nobody would let them go any more: the sweeper of the schema before starts them as they are.
update runs set status_code = null, status_message = null, waits = '[]' where status = 'pending' and status_code = 'owner_cap';
drop index runs_held;
drop index runs_active;
drop function af_may_read(uuid[], uuid[]);
drop function af_owner_events(uuid[], xid8[], uuid[], bigint[], integer, integer);
drop function af_events_horizon();
drop index run_events_of_owner;
alter table run_events drop column xid;
reset role;
