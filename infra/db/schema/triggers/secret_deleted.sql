-- Removes what was fetched with a deleted secret.
create trigger secret_deleted after delete on secrets
  for each row execute function af_secret_changed();
