-- Acts on a request other than decisions; each one is in the decision log too.
create table approval_acts (
  id uuid primary key,
  approval_id uuid not null references approvals (id),
  owner_id uuid not null,
  kind text not null check (kind in ('edited', 'delegated', 'commented', 'linked', 'reminded', 'escalated')),
  -- Null: a timer acted.
  actor_id uuid references users (id),
  actor text not null,
  -- Content of the act: edits, the other person, or the words.
  body json not null,
  digest text,
  at timestamptz not null default clock_timestamp()
);

create index approval_acts_approval on approval_acts (approval_id, at, id);
