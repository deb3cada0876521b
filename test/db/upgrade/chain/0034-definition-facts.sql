set local role af_migrate;

-- What the latest version of a definition says of itself, beside its name: lists show it and are filtered by it.
alter table connectors
  add column icon text,
  add column category text,
  add column tags text[] not null default '{}',
  add column requires_auth boolean not null default false,
  add column auth_fields jsonb not null default '[]';
alter table playbooks
  add column tags text[] not null default '{}',
  add column triggers jsonb not null default '[]',
  add column required_connectors text[] not null default '{}';

-- The orders of their lists.
create index connectors_owner_created on connectors (owner_id, created_at, id) where deleted_at is null;
create index connectors_owner_name on connectors (owner_id, name, id) where deleted_at is null;
create index playbooks_owner_created on playbooks (owner_id, created_at, id) where deleted_at is null;
create index playbooks_owner_name on playbooks (owner_id, name, id) where deleted_at is null;

-- What is there already, as far as its stored form says it; the rest comes with the next save of the text. PostgreSQL takes apart
-- no json with \u0000 or half of a surrogate pair in it: such characters are none of what is looked for here.
create function af_readable(p_document json) returns json language sql immutable as $$
  select regexp_replace(p_document::text, '\\u(0000|[dD][89a-fA-F][0-9a-fA-F]{2})', '\\ufffd', 'g')::json
$$;

update connectors c set requires_auth = true, auth_fields = f.auth_fields
  from connector_versions v
  cross join lateral (select af_readable(v.definition) -> 'connection' -> 'auth' as auth) a
  cross join lateral (select a.auth ->> 'type' as type, a.auth -> 'secret' ->> 'secret' as secret) t
  cross join lateral (select jsonb_build_array(case t.type
      when 'connection' then jsonb_build_object('name', 'connection', 'label', 'Stored connection', 'type', 'connection',
        'connection', a.auth ->> 'connection')
      else jsonb_build_object('type', 'password', 'secret', t.secret) || case t.type
        when 'api_key' then '{"name": "api_key", "label": "API key"}'
        when 'bearer_token' then '{"name": "token", "label": "Token"}'
        when 'basic' then jsonb_build_object('name', 'password', 'label',
          case when a.auth -> 'username' is null then 'user:password' else 'Password' end)
        when 'oauth2_client_credentials' then jsonb_build_object('name', 'client_secret', 'label',
          case when a.auth -> 'client_id' is null then 'client_id:client_secret' else 'Client secret' end)
        when 'hmac' then '{"name": "signing_key", "label": "Signing key"}'
        else '{"name": "connection_string", "label": "postgresql:// address"}' end end) as auth_fields) f
  where v.id = c.latest_version_id and t.type <> 'none';

with recursive step (version_id, step) as (
  select v.id, s.value from playbooks p join playbook_versions v on v.id = p.latest_version_id
    cross join lateral (select af_readable(v.plan) -> 'steps' as steps) plan
    cross join lateral json_array_elements(case json_typeof(plan.steps) when 'array' then plan.steps else '[]' end) s
  union all
  select step.version_id, inside.value from step cross join lateral (
    select s.value from json_array_elements(case json_typeof(step.step -> 'steps') when 'array' then step.step -> 'steps'
      else '[]' end) s
    union all
    select s.value from json_array_elements(case json_typeof(step.step -> 'routes') when 'array' then step.step -> 'routes'
      else '[]' end) r cross join lateral json_array_elements(r.value -> 'steps') s
    union all
    select step.step -> 'on' where json_typeof(step.step -> 'on') = 'object') inside
),
named (version_id, slug) as (
  select version_id, step -> 'params' ->> 'connector' from step where step ->> 'kind' = 'tool'
    and json_typeof(step -> 'params' -> 'connector') = 'string'
  union
  select version_id, step -> 'inputs' ->> 'connector' from step where step ->> 'kind' = 'tool'
    and json_typeof(step -> 'inputs' -> 'connector') = 'string'
  union
  select version_id, split_part(step -> 'undo' ->> 'action', '.', 1) from step where step -> 'undo' ->> 'action' like '%_._%'
  union
  select step.version_id, split_part(tool, '.', 1) from step cross join lateral json_array_elements_text(
      case json_typeof(step.step -> 'params' -> 'tools') when 'array' then step.step -> 'params' -> 'tools' else '[]' end) tool
    where step.step ->> 'kind' = 'llm_task' and tool like '%_._%'
)
update playbooks p set required_connectors = n.slugs
  from (select version_id, array_agg(slug order by slug collate "C") as slugs from named where slug <> '' group by version_id) n
  where n.version_id = p.latest_version_id;
drop function af_readable(json);

reset role;
