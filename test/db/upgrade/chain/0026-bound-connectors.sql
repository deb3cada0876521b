-- Connectors of runs for a profile: what its bindings allow, and whose secret goes out. Asked at each call, so that what was
-- taken back counts at once.
set local role af_migrate;

-- As before; a shared profile can be run only while its owner's account is in use: it is his credentials that go out.
create or replace function af_may_run(p_owner uuid, p_profile uuid, p_team uuid) returns boolean language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if not exists (select from users where id = p_owner and status = 'active') then
    return false;
  end if;
  if p_team is null then
    return exists (select from agent_profiles
      where id = p_profile and owner_id = p_owner and is_active and deleted_at is null);
  end if;
  return exists (select from agent_team_shares s join agent_profiles p on p.id = s.profile_id
      join users u on u.id = p.owner_id and u.status = 'active'
      join teams t on t.id = s.team_id join team_members m on m.team_id = t.id
    where s.profile_id = p_profile and s.team_id = p_team and s.is_active and p.is_active and p.deleted_at is null
      and t.deleted_at is null and m.user_id = p_owner and m.role <> 'viewer');
end $$;

-- As before, and so do the runs of others for the profiles of a deactivated account.
create or replace function af_account_lost() returns trigger language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  update runs set control = 'pause', revoked_at = clock_timestamp(), updated_at = clock_timestamp()
    where (owner_id = new.id or team_id is not null and profile_owner_id = new.id)
      and control = 'run' and not af_closed(status);
  return null;
end $$;

-- A profile that is switched off runs for nobody else: what is under way stops, as after a lost share.
create function af_profile_stopped() returns trigger language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  update runs set control = 'pause', revoked_at = clock_timestamp(), updated_at = clock_timestamp()
    where profile_id = new.id and team_id is not null and control = 'run' and not af_closed(status);
  return null;
end $$;
create trigger profile_stopped after update on agent_profiles for each row
  when (old.is_active and not new.is_active) execute function af_profile_stopped();

-- How a run may use a version of a connector that it has pinned.
--   ok               with the secrets of `secret_owner`, as the binding says (no profile, or none of one's own: no limits)
--   not_pinned       the run has no such version, or it is nobody's who stands behind the run
--   access_revoked   its profile may not be run any more; the run is paused
--   binding_removed  the profile does not use the connector any more
create function af_bound_connector(p_run uuid, p_owner uuid, p_version uuid, out outcome text, out secret_owner uuid,
  out permissions json, out config_overrides json, out credentials json) language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  v_run record;
  v_version record;
  v_binding profile_connectors;
begin
  select r.id, r.connectors, r.profile_id, coalesce(r.profile_owner_id, r.owner_id) as profile_owner, r.team_id
    into v_run from runs r where r.id = p_run and r.owner_id = p_owner;
  select v.owner_id, v.connector_id into v_version from connector_versions v
    where v.id = p_version and v.owner_id = v_run.profile_owner
      and exists (select from json_each_text(v_run.connectors) c where c.value = p_version::text);
  if v_version.connector_id is null then
    outcome := 'not_pinned';
    return;
  end if;
  if v_run.profile_owner <> p_owner and not af_may_run(p_owner, v_run.profile_id, v_run.team_id) then
    update runs set control = 'pause', revoked_at = clock_timestamp(), updated_at = clock_timestamp()
      where id = p_run and control = 'run' and not af_closed(status);
    outcome := 'access_revoked';
    return;
  end if;
  select * into v_binding from profile_connectors b
    where b.profile_id = v_run.profile_id and b.connector_id = v_version.connector_id;
  if v_binding.id is null and v_run.profile_owner <> p_owner or not v_binding.is_enabled then
    outcome := 'binding_removed';
    return;
  end if;
  outcome := 'ok';
  secret_owner := v_version.owner_id;
  permissions := coalesce(v_binding.permissions, '{}');
  config_overrides := coalesce(v_binding.config_overrides, '{}');
  credentials := coalesce(v_binding.credentials, '{}');
end $$;

-- The ciphertext of one secret for one call: of an endpoint that the binding allows, by a name that the binding gives for
-- the connector or, where it gives none, the pinned definition. Nothing otherwise. The value stays closed to SQL.
create function af_bound_secret(p_run uuid, p_owner uuid, p_version uuid, p_endpoint text, p_name text)
  returns table (owner_id uuid, ciphertext text, key_id text, allowed_hosts text[], version text)
  language plpgsql rows 1 security definer set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_column
declare
  v record;
  v_named boolean;
begin
  select * into v from af_bound_connector(p_run, p_owner, p_version);
  if v.outcome is distinct from 'ok' then
    return;
  end if;
  if json_typeof(v.permissions -> 'allowed_endpoints') = 'array' and not exists (
      select from json_array_elements_text(v.permissions -> 'allowed_endpoints') e where e.value = p_endpoint) then
    return;
  end if;
  if exists (select from json_object_keys(v.credentials)) then
    v_named := exists (select from json_each(v.credentials) c where c.value ->> 'secret' = p_name);
  else
    v_named := (select c.definition #>> '{connection,auth,secret,secret}' = p_name from connector_versions c
      where c.id = p_version);
  end if;
  if v_named then
    return query select s.owner_id, encode(s.ciphertext, 'base64'), s.key_id, s.allowed_hosts, s.id || '.' || s.version
      from secrets s where s.owner_id = v.secret_owner and s.name = p_name;
  end if;
end $$;
grant execute on function af_bound_connector(uuid, uuid, uuid), af_bound_secret(uuid, uuid, uuid, text, text) to af_login;

-- Secrets are read by their owner, by the rotation of keys, and by the function above.
create policy secrets_migrate on secrets for select to af_migrate using (true);

reset role;
