-- Keys that access tokens are signed with (EdDSA). The private part is encrypted by the application.
create table signing_keys (
  kid text primary key,
  public_key text not null,
  private_key bytea not null,
  -- The master key that the private part is encrypted under.
  key_id text not null,
  created_at timestamptz not null default clock_timestamp(),
  -- Signs no more since then; what it signed is read until it expires.
  retired_at timestamptz
);
