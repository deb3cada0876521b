create trigger account_deactivated after update on users for each row when (((old.status = 'active'::text) AND (new.status <> 'active'::text))) execute function af_account_lost();
