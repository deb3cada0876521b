set local role af_migrate;

-- Values are encrypted by the application and bound to owner and name: a ciphertext in another row does not open.
create table secrets (
  id uuid primary key,
  owner_id uuid not null references users (id),
  name text not null,
  ciphertext bytea not null,
  -- The master key that it is encrypted under.
  key_id text not null,
  -- Host names, `host:port`, `*.domain`, or the one entry `*`.
  allowed_hosts text[] not null check (cardinality(allowed_hosts) > 0),
  version integer not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  rotated_at timestamptz,
  unique (owner_id, name)
);
create index secrets_by_key on secrets (key_id, id);
alter table secrets enable row level security;
alter table secrets force row level security;
create policy secrets_app on secrets to af_app using (owner_id = app_uid()) with check (owner_id = app_uid());
create policy secrets_system on secrets to af_system using (true) with check (true);
grant select, insert, delete on secrets to af_app;
grant update (ciphertext, key_id, allowed_hosts, version, rotated_at) on secrets to af_app;
-- The rotation of master keys touches nothing else.
grant select on secrets to af_system;
grant update (ciphertext, key_id) on secrets to af_system;

-- Master keys that were ever used here: what a process lacks, it is told at its start and not in the middle of a run.
-- Belongs to the installation and not to an owner. check_value: HMAC of a constant under the key; says nothing of it.
create table master_keys (
  id text primary key,
  check_value text not null,
  created_at timestamptz not null default clock_timestamp(),
  retired_at timestamptz
);
alter table master_keys enable row level security;
alter table master_keys force row level security;
create policy master_keys_system on master_keys to af_system using (true) with check (true);
grant select, insert on master_keys to af_system;
grant update (retired_at) on master_keys to af_system;

-- Signed heads of the decision chains: who holds one can tell when entries before it were taken away.
create table decision_heads (
  owner_id uuid not null references users (id),
  no bigint not null,
  hash text not null,
  signed_at text not null,
  key_id text not null,
  public_key text not null,
  signature text not null,
  primary key (owner_id, no)
);
alter table decision_heads enable row level security;
alter table decision_heads force row level security;
create policy decision_heads_app on decision_heads to af_app using (owner_id = app_uid()) with check (owner_id = app_uid());
grant select, insert on decision_heads to af_app;
reset role;
