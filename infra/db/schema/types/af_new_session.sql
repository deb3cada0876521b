-- Session of an account, as af_open_session takes it: secret_hash of a browser, or refresh_hash of a family of tokens.
create type af_new_session as (
  id uuid,
  owner uuid,
  secret_hash text,
  refresh_hash text,
  client text,
  peer text,
  seconds integer
);
