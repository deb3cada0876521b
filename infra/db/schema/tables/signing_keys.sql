-- Keys that sign access tokens (EdDSA). The application encrypts the private part.
create table signing_keys (
  kid text primary key,
  public_key text not null,
  private_key bytea not null,
  -- Master key of the encryption of the private part.
  key_id text not null,
  created_at timestamptz not null default clock_timestamp(),
  -- End of signing; what it signed is accepted until it expires.
  retired_at timestamptz
);
