-- Removes what was fetched with the earlier value of a secret.
create trigger secret_rotated after update on secrets
  for each row when (old.version is distinct from new.version)
  execute function af_secret_changed();
