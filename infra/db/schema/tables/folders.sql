-- Folders of documents.
create table folders (
  id uuid primary key,
  owner_id uuid not null references users (id),
  name text not null,
  parent_id uuid references folders (id),
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  row_version bigint not null default 1
);

create unique index folders_owner_name on folders (owner_id, coalesce(parent_id,
  '00000000-0000-0000-0000-000000000000'::uuid), name) where deleted_at is null;
create index folders_parent on folders (parent_id) where parent_id is not null and deleted_at is null;
