set local role af_migrate;

-- Rows that people change count their changes: the ETag that If-Match is compared with. A trigger does it, so that no
-- statement can forget it; an update that changes nothing is no change.
create function af_next_version() returns trigger language plpgsql as $$
begin
  new.row_version := old.row_version + 1;
  return new;
end $$;

do $$
declare
  v_table text;
begin
  foreach v_table in array array['playbooks', 'connectors', 'folders', 'documents', 'secrets'] loop
    execute format('alter table %I add column row_version bigint not null default 1', v_table);
    execute format('create trigger %I before update on %I for each row when (old is distinct from new)
      execute function af_next_version()', v_table || '_next_version', v_table);
  end loop;
end $$;

-- Requests with an Idempotency-Key, kept for 24 hours. Those that start runs are in the runs' rows, as long as the runs.
create table idempotency_keys (
  owner_id uuid not null references users (id),
  method text not null,
  -- The pattern of the path.
  route text not null,
  key text not null,
  -- Of path parameters, query and body.
  request_hash text not null,
  -- Who carries the request out. Another may, when the lease has ended and there is no answer.
  claim_id uuid not null,
  lease_until timestamptz not null,
  -- The answer, written in the transaction of the effect. A status of null: under way.
  status integer,
  etag text,
  answer json,
  created_at timestamptz not null default clock_timestamp(),
  primary key (owner_id, method, route, key)
);
create index idempotency_keys_age on idempotency_keys (owner_id, created_at);
alter table idempotency_keys enable row level security;
alter table idempotency_keys force row level security;
create policy idempotency_keys_app on idempotency_keys to af_app
  using (owner_id = (select app_uid())) with check (owner_id = (select app_uid()));
grant select, insert, delete on idempotency_keys to af_app;
grant update (request_hash, claim_id, lease_until, status, etag, answer, created_at) on idempotency_keys to af_app;
reset role;
