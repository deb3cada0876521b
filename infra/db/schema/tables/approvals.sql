-- Requests for approval: what a run asks people before it continues, and how it was decided.
create table approvals (
  id uuid primary key,
  run_id uuid not null references runs (id),
  owner_id uuid not null,
  step_path text not null,
  step_name text not null,
  status text not null default 'waiting' check (status in ('waiting', 'approved', 'rejected', 'timed_out', 'cancelled', 'auto_approved')),
  prompt text not null,
  -- StoredValue of the preview rows, limited; preview_total = rows before the limit.
  preview json,
  preview_total integer,
  -- The gated action: {step, action, inputs, params}; null when the next step is not a single action.
  action json,
  digest text,
  edit_schema json,
  on_reject text not null,
  on_timeout text not null,
  requested_at timestamptz not null default clock_timestamp(),
  due_at timestamptz,
  decided_at timestamptz,
  decided_by text,
  decision_id uuid,
  instructions text,
  edits json,
  approved_digest text,
  quorum integer not null default 1 check (quorum > 0),
  -- Excludes the owner of the run and the last editor from deciding.
  four_eyes boolean not null default false,
  link_only boolean not null default false,
  -- Leaves the decision to approval_approvers: the run's owner may not decide only because the run is theirs.
  named boolean not null default false,
  -- Names among the playbook's approvers that exist for nobody.
  unknown_approvers text[] not null default '{}'::text[],
  -- Digest of the action with `edits`; `digest` is that of the action as the engine made it.
  edited_digest text,
  edited_by uuid references users (id),
  edited_at timestamptz,
  reminded_at timestamptz,
  escalated_at timestamptz,
  -- Absolute like `due_at`: fixed when the request opens, so that a late process changes nothing.
  remind_at timestamptz,
  escalate_at timestamptz,
  -- Data that the request should show and could not get: [{step, kind, code, message}]; null: nothing is missing.
  failures json,
  -- All rows of a shortened preview: for an inline step nothing else keeps them while the request waits.
  preview_rows json,
  -- Effects after the gate: {steps: [{step, in_each}], more, destinations, caller}; null: not known.
  effects_behind json,
  unique (run_id, step_path)
);

create index approvals_due on approvals (owner_id, due_at) where status = 'waiting' and due_at is not null;
create index approvals_owner_requested on approvals (owner_id, requested_at, id);
create index approvals_owner_status on approvals (owner_id, status, requested_at, id);
create index approvals_owner_step on approvals (owner_id, step_path, requested_at, id);
