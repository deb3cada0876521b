-- Decides how a run may use a version of a connector that it has pinned. Outcomes:
--   ok               with the secrets of `secret_owner`, within the binding (a run without a profile has no such limits)
--   not_pinned       the run has no such version, or it belongs to nobody behind the run
--   access_revoked   the profile may no longer be run; the run is paused
--   binding_removed  the profile no longer uses the connector
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
