-- Log of every settled decision as a hash chain for each owner: hash = sha256(prev_hash || canonical entry).
create table decision_log (
  owner_id uuid not null,
  no bigint not null,
  entry text not null,
  prev_hash text not null,
  hash text not null,
  primary key (owner_id, no)
);
