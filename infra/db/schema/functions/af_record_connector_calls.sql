-- Inserts a batch of calls; p_calls [{...}] has the columns. Repeats are ignored.
create function af_record_connector_calls(p_calls json) returns void language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into connector_calls (id, owner_id, connector, version_id, endpoint, run_id, step_path, origin, method, status, outcome,
      latency_ms, bytes, items, cache, attempt, page, body, at)
    select c.id, c.owner_id, c.connector, c.version_id, c.endpoint, c.run_id, c.step_path, c.origin, c.method, c.status,
        c.outcome, c.latency_ms, c.bytes, c.items, c.cache, c.attempt, c.page, c.body, c.at
      from json_to_recordset(p_calls) as c (id uuid, owner_id uuid, connector text, version_id uuid, endpoint text, run_id uuid,
        step_path text, origin text, method text, status integer, outcome text, latency_ms integer, bytes integer,
        items integer, cache text, attempt integer, page integer, body text, at timestamptz)
      join users u on u.id = c.owner_id
    on conflict (id) do nothing;
end $$;
