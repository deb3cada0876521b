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
  -- Null: a signal or a policy is nobody.
  actor_id uuid,
  -- Who delegated to the actor, where that alone gave them the right.
  acting_for uuid,
  -- Collected for an action that was edited since.
  superseded_at timestamptz,
  -- The key that a decision came by.
  key_id uuid references api_keys (id),
  -- The workflow task that counts a decision may get lost together with all that it wrote, the run's end included; nothing of it is
  -- in the run's history then. Null: the run has not been seen to know of it, and is told again.
  heard_at timestamptz,
  primary key (approval_id, decision_id)
);

create index approval_decisions_undelivered on approval_decisions (created_at) where state = 'received';
create index approval_decisions_unheard on approval_decisions (settled_at) where state = 'counted' and heard_at is null and via in ('api', 'cli', 'link');
