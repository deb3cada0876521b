grant execute on function
  app_uid
to public;
