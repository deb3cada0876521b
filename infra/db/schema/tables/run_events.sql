-- The three tables of the hot path carry no foreign key: their only writers are the functions of 0002, which hold the
-- run's row, and rows of runs are never deleted.
create table run_events (
  run_id uuid not null,
  seq bigint not null,
  -- Deterministic id given by whoever made the event; a repeat is ignored.
  event_id text not null,
  owner_id uuid not null,
  type text not null,
  step_path text,
  payload json not null,
  at timestamptz not null default clock_timestamp(),
  -- The transaction that wrote an event. Commits come in another order than ids, but below the oldest transaction that is
  -- still under way nothing can be added any more: whoever reads up to there, by (xid, run, seq), misses nothing and sees
  -- nothing twice. Rows that are there already take the id of this migration, without being rewritten: they lie before all
  -- that follow, each run's in its order.
  xid xid8 not null default pg_current_xact_id(),
  -- Set for what is about a run as a whole, where the run is one of a team's.
  team_id uuid,
  primary key (run_id, seq),
  unique (run_id, event_id)
);

create index run_events_calls on run_events (run_id) where type = 'source.called';
create index run_events_in_order on run_events (uuid_hash_extended(owner_id, (0)::bigint), xid, run_id, seq);
create index run_events_of_team on run_events (team_id, xid, run_id, seq) where team_id is not null;
