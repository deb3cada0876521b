set local role af_migrate;
alter table documents drop column version;
alter table folders drop column version;
drop index folders_parent, documents_folder, approvals_due, approvals_owner_requested;
reset role;
