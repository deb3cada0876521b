set local role af_migrate;
drop function af_identify, af_begin_login, af_end_login, af_open_session, af_refresh, af_link, af_use_link, af_register,
  af_audit, af_set_password;
drop table audit_log, signing_keys, login_attempts, one_time_links, invites, api_keys, refresh_tokens, sessions, passwords;
drop policy users_af_system on users;
revoke all on users from af_system;
alter table users drop constraint users_managed;
alter table users drop column kind, drop column status, drop column scopes, drop column managed_by,
  drop column deactivated_at;
reset role;
