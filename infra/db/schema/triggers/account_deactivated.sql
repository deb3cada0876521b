-- Pauses the runs of an account that may no longer act, and those for its profiles.
create trigger account_deactivated after update on users
  for each row when (old.status = 'active' and new.status <> 'active')
  execute function af_account_lost();
