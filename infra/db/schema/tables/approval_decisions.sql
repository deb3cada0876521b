-- Answers to requests, kept when they arrive and counted later by the run: none is lost in between.
create table approval_decisions (
  approval_id uuid not null references approvals (id),
  decision_id uuid not null,
  run_id uuid not null,
  owner_id uuid not null,
  actor text not null,
  via text not null check (via in ('api', 'cli', 'signal', 'policy', 'link')),
  decision text not null check (decision in ('approve', 'reject')),
  instructions text,
  edits json,
  digest text,
  state text not null default 'received' check (state in ('received', 'counted', 'refused')),
  code text,
  created_at timestamptz not null default clock_timestamp(),
  settled_at timestamptz,
  -- Null: a signal or a policy, which have no account.
  actor_id uuid,
  -- Person who delegated to the actor, if only that gave them the right.
  acting_for uuid,
  -- Set when the action was edited after this approval.
  superseded_at timestamptz,
  -- API key that was used to decide.
  key_id uuid references api_keys (id),
  -- Set once the run is known to have the decision in its history. A workflow task that counts a decision may get lost with
  -- everything that it wrote, even the end of the run. While it is null the reconciler sends the decision again.
  heard_at timestamptz,
  primary key (approval_id, decision_id)
);

create index approval_decisions_undelivered on approval_decisions (created_at) where state = 'received';
create index approval_decisions_unheard on approval_decisions (settled_at) where state = 'counted' and heard_at is null and via in ('api', 'cli', 'link');
