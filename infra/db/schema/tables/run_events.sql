-- Events of runs, the log that streams read. The three tables of the hot path (with step_attempts and step_results) have no foreign keys:
-- only functions write them, under the lock of the run's row, and rows of runs are never deleted.
create table run_events (
  run_id uuid not null,
  seq bigint not null,
  -- Deterministic id from the writer; a repeat is ignored.
  event_id text not null,
  owner_id uuid not null,
  type text not null,
  step_path text,
  payload json not null,
  at timestamptz not null default clock_timestamp(),
  -- Transaction that wrote the event. Commits come in another order than ids, but nothing can be added below the oldest
  -- transaction that is still open: a reader who stays below it and goes by (xid, run, seq) misses nothing and sees nothing
  -- twice. Events that are older than this column have the id of the migration that added it, which sorts them before all later
  -- ones.
  xid xid8 not null default pg_current_xact_id(),
  -- Team of the run, on events about the run as a whole.
  team_id uuid,
  primary key (run_id, seq),
  unique (run_id, event_id)
);

create index run_events_calls on run_events (run_id) where type = 'source.called';
create index run_events_in_order on run_events (uuid_hash_extended(owner_id, (0)::bigint), xid, run_id, seq);
create index run_events_of_team on run_events (team_id, xid, run_id, seq) where team_id is not null;
