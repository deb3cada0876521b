-- Plugins. owner_id null: part of the installation; everybody reads it and only the loader writes it.
create table plugins (
  id uuid primary key,
  owner_id uuid references users (id),
  name text not null,
  version text not null,
  description text,
  connection_type text not null,
  required_config json not null default '[]',
  tool_contracts json not null default '[]',
  tool_pack_name text not null,
  is_builtin boolean not null default false,
  is_enabled boolean not null default true,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);

create unique index plugins_name on plugins (coalesce(owner_id, '00000000-0000-0000-0000-000000000000'::uuid), name);
