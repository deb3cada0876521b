set local role af_migrate;

drop policy approval_decisions_heard on approval_decisions;
drop index approval_decisions_unheard;
alter table approval_decisions drop column heard_at;

reset role;
