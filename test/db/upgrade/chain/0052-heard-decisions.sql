-- Whether a run heard of a decision that counted.
set local role af_migrate;

-- The workflow task that counts a decision may get lost together with all that it wrote, the run's end included; nothing of it is
-- in the run's history then. Null: the run has not been seen to know of it, and is told again.
alter table approval_decisions add column heard_at timestamptz;
-- A signal is in the history, and a policy's answer is the run's own.
create index approval_decisions_unheard on approval_decisions (settled_at)
  where state = 'counted' and heard_at is null and via in ('api', 'cli', 'link');

grant update (heard_at) on approval_decisions to af_system;
create policy approval_decisions_heard on approval_decisions for update to af_system using (true) with check (true);

reset role;
