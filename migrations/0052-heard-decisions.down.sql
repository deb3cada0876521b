set local role af_migrate;

drop index approval_decisions_unheard;

alter table approval_decisions drop column heard_at;
