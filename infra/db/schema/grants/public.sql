-- Right of every role: policies of all of them ask who the caller is.
grant execute on function
  app_uid
to public;
