-- Returns the account of the transaction. Null where none was set: then no policy shows a row.
create function app_uid() returns uuid language sql stable parallel safe as $$
  select nullif(current_setting('app.user_id', true), '')::uuid
$$;
