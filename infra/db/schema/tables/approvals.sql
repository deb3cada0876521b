create table approvals (
  id uuid primary key,
  run_id uuid not null references runs (id),
  owner_id uuid not null,
  step_path text not null,
  step_name text not null,
  status text not null default 'waiting' check (status in ('waiting', 'approved', 'rejected', 'timed_out', 'cancelled', 'auto_approved')),
  prompt text not null,
  -- StoredValue of the preview rows, already limited; total = rows before the limit.
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
  -- Neither whose run it is, nor who edited last.
  four_eyes boolean not null default false,
  link_only boolean not null default false,
  -- Those in approval_approvers decide, and not just because it is their run the run's owner.
  named boolean not null default false,
  -- What the playbook calls approvers and nobody is.
  unknown_approvers text[] not null default '{}'::text[],
  -- `digest` is that of the action as the engine made it; this one covers `edits` too.
  edited_digest text,
  edited_by uuid references users (id),
  edited_at timestamptz,
  reminded_at timestamptz,
  escalated_at timestamptz,
  -- Absolute, as `due_at`: known when the request opens, whether or not anybody is there to act at that moment.
  remind_at timestamptz,
  escalate_at timestamptz,
  -- What a request rests on that is not there: [{step, kind, code, message}]; null where nothing is missing.
  failures json,
  -- All rows of a preview that has the first ones alone: of an inline step nothing else keeps them while the request waits.
  preview_rows json,
  -- What with an effect lies behind the gate: {steps: [{step, in_each}], more, destinations, caller}; null: not known.
  effects_behind json,
  unique (run_id, step_path)
);

create index approvals_due on approvals (owner_id, due_at) where status = 'waiting' and due_at is not null;
create index approvals_owner_requested on approvals (owner_id, requested_at, id);
create index approvals_owner_status on approvals (owner_id, status, requested_at, id);
create index approvals_owner_step on approvals (owner_id, step_path, requested_at, id);
