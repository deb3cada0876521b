-- Signed heads of the decision chains: a copy of one proves later whether entries before it were removed.
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
