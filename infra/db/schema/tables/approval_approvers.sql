-- Approvers of a request, as subjects: `user:<id>`, `team:<id>` or `scope:<group:role>`. An escalation is added when it happens.
create table approval_approvers (
  approval_id uuid not null references approvals (id),
  subject text not null,
  source text not null check (source in ('named', 'escalation', 'delegation')),
  granted_by uuid not null references users (id),
  owner_id uuid not null,
  requested_at timestamptz not null,
  primary key (approval_id, subject, source, granted_by)
);

create index approval_approvers_subject on approval_approvers (subject, requested_at, approval_id);
