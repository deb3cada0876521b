-- Documents that runs saved; the content itself is in blobs.
create table documents (
  id uuid primary key,
  owner_id uuid not null references users (id),
  folder_id uuid references folders (id),
  name text not null,
  media_type text not null,
  size bigint not null,
  sha256 text not null,
  run_id uuid references runs (id),
  step_path text,
  -- Derived from the effect key, so that a repeated write finds its own document.
  effect_key text,
  export_path text,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  row_version bigint not null default 1
);

create unique index documents_effect on documents (owner_id, effect_key) where effect_key is not null;
create index documents_folder on documents (folder_id, created_at, id) where folder_id is not null and deleted_at is
  null;
create index documents_owner_created on documents (owner_id, created_at, id) where deleted_at is null;
create index documents_run on documents (run_id) where run_id is not null;
