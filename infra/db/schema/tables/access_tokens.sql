-- Access tokens that connectors fetch with a client's credentials: all workers share one, and one of them fetches it.
create table access_tokens (
  owner_id uuid not null references users (id),
  -- Digest of token service, client, scope, and name and version of the secret.
  slot text not null,
  -- Encrypted and bound to owner and slot. Kept until it expires and never re-encrypted: a token that cannot be decrypted is
  -- fetched again.
  token_id uuid,
  ciphertext bytea,
  key_id text,
  expires_at timestamptz,
  -- Worker that fetches the token now. A lease, so that a lost worker blocks the others only for a short time.
  claim_id uuid,
  lease_until timestamptz,
  primary key (owner_id, slot),
  check ((expires_at is null) = (ciphertext is null)),
  constraint access_tokens_check1 check ((lease_until is null) = (claim_id is null))
);
