-- Counts the changes of a row, for the ETag of the API (af_next_version).
create trigger playbooks_next_version before update on playbooks
  for each row when (old.* is distinct from new.*)
  execute function af_next_version();
