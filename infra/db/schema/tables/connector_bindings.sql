-- Last report of a source about the credential of a connector; credential '' where there is none.
create table connector_bindings (
  owner_id uuid not null references users (id),
  connector text not null,
  credential text not null default '',
  state text not null check (state in ('ok', 'auth_failed')),
  status integer,
  endpoint text,
  since timestamptz not null default clock_timestamp(),
  notified_at timestamptz,
  primary key (owner_id, connector, credential)
);
