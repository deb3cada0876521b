-- Hashes of passwords, apart from users: no role but the owner of the tables may read them.
create table passwords (
  owner_id uuid references users (id) primary key,
  -- PHC string of argon2id.
  hash text not null,
  changed_at timestamptz not null default clock_timestamp()
);
