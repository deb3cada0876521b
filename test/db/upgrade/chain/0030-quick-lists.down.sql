set local role af_migrate;

drop function af_run_playbook(uuid);
drop function app_approval_run_open(uuid);
create or replace function app_asked_approvals(p_status text[], p_run uuid, p_descending boolean, p_at timestamptz, p_id uuid,
  p_limit integer) returns setof uuid language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_order constant text := case when p_descending then 'desc' else 'asc' end;
begin
  return query execute format($sql$
    select s.id from af_subjects(app_uid(), false) as mine (subject)
      cross join lateral (select a.id from approval_approvers r join approvals a on a.id = r.approval_id
        where r.subject = mine.subject and (r.source <> 'escalation' or a.escalated_at is not null)
          and ($1 is null or a.status = any($1)) and ($2 is null or a.run_id = $2)
          and ($3 is null or (r.requested_at, r.approval_id) %s ($3, $4))
        order by r.requested_at %s, r.approval_id %s limit $5) s
    $sql$, case when p_descending then '<' else '>' end, v_order, v_order) using p_status, p_run, p_at, p_id, p_limit;
end $$;
do $$
declare
  v_table text;
begin
  foreach v_table in array array['approval_decisions', 'approval_approvers', 'approval_acts'] loop
    execute format('alter policy %I on %I using (app_sees_approval(approval_id))', v_table || '_approver', v_table);
  end loop;
end $$;
alter policy approvals_approver on approvals using (app_sees_approval(id));
alter policy playbooks_af_app_team on playbooks using (id in (select app_team_playbooks()));
alter policy playbook_versions_af_app_team on playbook_versions using (playbook_id in (select app_team_playbooks()));
create index runs_profile on runs (profile_id, created_at, id) where profile_id is not null;
drop index runs_owner_profile;
drop index runs_profile_team;
create index approvals_open on approvals (owner_id, requested_at) where status = 'waiting';
drop index approvals_owner_status;
drop index approvals_owner_step;

create or replace function af_connector_auth(p_owner uuid, p_connector text, p_credential text, p_failed boolean, p_status integer,
  p_endpoint text, p_notification uuid, p_title text, p_body text) returns boolean language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if not p_failed then
    update connector_bindings set state = 'ok', status = null, endpoint = null, since = clock_timestamp()
      where owner_id = p_owner and connector = p_connector and credential = p_credential and state <> 'ok';
    return found;
  end if;
  insert into connector_bindings as b (owner_id, connector, credential, state, status, endpoint)
    values (p_owner, p_connector, p_credential, 'auth_failed', p_status, p_endpoint)
    on conflict (owner_id, connector, credential) do update set state = 'auth_failed', status = excluded.status,
        endpoint = excluded.endpoint, since = clock_timestamp()
      where b.state <> 'auth_failed';
  if not found then
    return false;
  end if;
  insert into notifications (id, owner_id, kind, title, body)
    values (p_notification, p_owner, 'connector_auth_failed', p_title, p_body);
  return true;
end $$;
alter table connector_bindings drop column notified_at;

drop function af_cache_answer(uuid, uuid, text, boolean, text, text, integer, json, text, text, integer, integer, integer, bigint,
  text, text);
create function af_cache_answer(p_owner uuid, p_version uuid, p_digest text, p_keyless boolean, p_connector text,
  p_credential text, p_status integer, p_headers json, p_url text, p_body text, p_ttl integer, p_stale integer,
  p_drop integer, p_owner_bytes bigint) returns void language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_owner uuid;
  v_key text;
  v_body constant bytea := decode(p_body, 'base64');
begin
  select p.owner_id, p.key into v_owner, v_key from af_cache_place(p_owner, p_version, p_digest, p_keyless) p;
  if v_key is null then
    return;
  end if;
  insert into connector_cache as c (owner_id, key, connector, credential, status, headers, url, body, size, fresh_until,
      stale_until, drop_at)
    values (v_owner, v_key, p_connector, p_credential, p_status, p_headers, p_url, v_body, length(v_body),
      clock_timestamp() + make_interval(secs => p_ttl), clock_timestamp() + make_interval(secs => p_ttl + p_stale),
      clock_timestamp() + make_interval(secs => p_ttl + p_drop))
    on conflict (coalesce(owner_id, '00000000-0000-0000-0000-000000000000'), key) do update set status = excluded.status,
      headers = excluded.headers, url = excluded.url, body = excluded.body, size = excluded.size,
      credential = excluded.credential, connector = excluded.connector, stored_at = clock_timestamp(),
      fresh_until = excluded.fresh_until, stale_until = excluded.stale_until, drop_at = excluded.drop_at;
  delete from connector_cache c using (
      select id, sum(size) over (order by stored_at desc, id desc) as held from connector_cache
        where owner_id is not distinct from v_owner) o
    where c.id = o.id and o.held > p_owner_bytes;
end $$;
drop function af_drop_answers(uuid, text, text, text, text);
create function af_drop_answers(p_owner uuid, p_connector text, p_credential text) returns void language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  delete from connector_cache where owner_id = p_owner and connector = p_connector and credential = p_credential;
end $$;
grant execute on function af_cache_answer(uuid, uuid, text, boolean, text, text, integer, json, text, text, integer, integer,
  integer, bigint), af_drop_answers(uuid, text, text) to af_login;
alter table connector_cache drop column endpoint, drop column credential_version;

reset role;
