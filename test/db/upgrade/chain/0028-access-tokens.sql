set local role af_migrate;

-- Access tokens that connectors fetch with a client's credentials: all workers share one, and one of them fetches it.
create table access_tokens (
  owner_id uuid not null references users (id),
  -- Digest of the token service, the client, the scope, and the name and version of the secret.
  slot text not null,
  -- Encrypted, bound to owner and slot; kept until it expires and never re-encrypted: what does not open is fetched anew.
  token_id uuid,
  ciphertext bytea,
  key_id text,
  expires_at timestamptz,
  -- Who fetches it now. A lease, so that a worker that is lost holds up nobody for long.
  claim_id uuid,
  lease_until timestamptz,
  primary key (owner_id, slot),
  check ((expires_at is null) = (ciphertext is null)),
  check ((lease_until is null) = (claim_id is null))
);
alter table access_tokens enable row level security;
alter table access_tokens force row level security;
create policy access_tokens_app on access_tokens to af_app using (owner_id = app_uid()) with check (owner_id = app_uid());
grant select, insert, update, delete on access_tokens to af_app;
reset role;
