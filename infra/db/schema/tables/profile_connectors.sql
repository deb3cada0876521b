-- Connectors that a profile may use. `credentials`: names of the owner's secrets by auth field, never values.
create table profile_connectors (
  id uuid primary key,
  profile_id uuid not null references agent_profiles (id),
  owner_id uuid not null references users (id),
  connector_id uuid not null references connectors (id),
  connection_id uuid references connections (id),
  credentials json not null default '{}',
  config_overrides json not null default '{}',
  permissions json not null default '{}',
  is_enabled boolean not null default true,
  row_version bigint not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  unique (profile_id, connector_id)
);

create index profile_connectors_connector on profile_connectors (connector_id);
