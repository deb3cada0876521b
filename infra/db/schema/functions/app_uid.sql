-- Who asks: set for the length of a transaction. Nobody = null = no rows.
create function app_uid() returns uuid language sql stable parallel safe as $$
  select nullif(current_setting('app.user_id', true), '')::uuid
$$;
