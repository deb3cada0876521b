-- Sign-in attempts, to slow down guessing of passwords. `account` is kept for unknown handles too.
create table login_attempts (
  id bigint generated always as identity primary key,
  account text not null,
  peer text not null,
  at timestamptz not null default clock_timestamp(),
  ok boolean not null default false
);

create index login_attempts_account on login_attempts (account, at) where not ok;
create index login_attempts_at on login_attempts (at);
create index login_attempts_peer on login_attempts (peer, at) where not ok;
