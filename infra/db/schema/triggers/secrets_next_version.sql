-- Counts the changes of a row, for the ETag of the API (af_next_version).
create trigger secrets_next_version before update on secrets
  for each row when (old.* is distinct from new.*)
  execute function af_next_version();
