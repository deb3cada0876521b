-- Indexes under lists, and the version of rows that people change by hand.
set local role af_migrate;

create index approvals_owner_requested on approvals (owner_id, requested_at, id);
create index approvals_due on approvals (owner_id, due_at) where status = 'waiting' and due_at is not null;
create index documents_folder on documents (folder_id, created_at, id) where folder_id is not null and deleted_at is null;
create index folders_parent on folders (parent_id) where parent_id is not null and deleted_at is null;

-- Counts the changes of a row: who changes it can say which version he saw.
alter table folders add column version integer not null default 1;
alter table documents add column version integer not null default 1;

reset role;
