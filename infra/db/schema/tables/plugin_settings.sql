-- Settings of a person for a plugin.
create table plugin_settings (
  id uuid primary key,
  owner_id uuid not null references users (id),
  plugin_id uuid not null references plugins (id),
  connection_id uuid references connections (id),
  custom_config json not null default '{}',
  is_active boolean not null default true,
  created_at timestamptz not null default clock_timestamp(),
  unique (owner_id, plugin_id)
);
