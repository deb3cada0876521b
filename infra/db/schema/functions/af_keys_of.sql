-- Derives the effect-key prefixes of a run that continues with another's keys: the earlier ones, except for steps that begin anew.
create function af_keys_of(p_keys jsonb, p_run uuid, p_renewed text[]) returns jsonb language plpgsql immutable
  set search_path = pg_catalog, public, pg_temp as $$
declare
  v_new jsonb := (select jsonb_object_agg(r.path, p_run) from unnest(p_renewed) r (path));
begin
  return nullif(coalesce((select jsonb_object_agg(k.key, k.value) from jsonb_each(p_keys) k
    where not af_renewed(v_new, p_run, k.key)), '{}') || coalesce(v_new, '{}'), '{}');
end $$;
