-- Where secrets may go is agreed for each secret; a connector that was deleted leaves its trust to no other of its name.
set local role af_migrate;

alter table connector_confirmations add column secret text;
-- What was confirmed before counts for the one secret that the connector had named until then. Where it had named several, nobody knows
-- which was meant: such a place is confirmed anew.
update connector_confirmations o set secret = k.secret from (
    select o.id, min(s.secret) as secret from connector_confirmations o
      join connectors c on c.owner_id = o.owner_id and c.slug = o.connector
      join connector_versions v on v.connector_id = c.id and v.created_at <= o.confirmed_at
      cross join lateral (select v.definition #>> '{connection,auth,secret,secret}' as secret) s
      group by o.id having count(distinct s.secret) = 1) k
  where k.id = o.id;
delete from connector_confirmations where secret is null;
alter table connector_confirmations alter column secret set not null;
-- When the place was confirmed for the first time, whatever was said again later.
alter table connector_confirmations add column first_at timestamptz not null default clock_timestamp();
update connector_confirmations set first_at = confirmed_at;
drop index connector_confirmations_of;
create unique index connector_confirmations_of on connector_confirmations (owner_id, connector, secret, origins);
-- A place that is confirmed again counts from then on.
grant update (confirmed_at) on connector_confirmations to af_app;

-- Texts made from what somebody else wrote say so themselves: `imported: true`.
alter table connectors drop column imported_at;

drop function af_confirmations(uuid, uuid);
-- All that a call must know before it may send one secret: what is confirmed for it, and what the connector began with.
-- reused: a deleted connector of this name sent it, by its own text or as a profile bound it, so that this beginning is not the first. What was
-- bound can be told by its confirmations alone: those that were there before this connector, be they given again since.
create function af_confirmations(p_owner uuid, p_version uuid, p_secret text) returns table (connector text, reused boolean,
  first_definition json, confirmed json) language plpgsql stable security definer set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_column
begin
  return query
    select c.slug,
        exists (select from connectors d
          where d.owner_id = c.owner_id and d.slug = c.slug and d.id <> c.id and d.deleted_at is not null
            and (exists (select from connector_versions w
                where w.connector_id = d.id and w.definition #>> '{connection,auth,secret,secret}' = p_secret)
              or exists (select from connector_confirmations o
                where o.owner_id = c.owner_id and o.connector = c.slug and o.secret = p_secret
                  and o.first_at < c.created_at))),
        f.definition,
        coalesce((select json_agg(o.origins order by o.confirmed_at, o.id) from connector_confirmations o
          where o.owner_id = p_owner and o.connector = c.slug and o.secret = p_secret and o.confirmed_at >= c.created_at), '[]')
      from connector_versions v join connectors c on c.id = v.connector_id
      join lateral (select w.definition from connector_versions w where w.connector_id = c.id order by w.version_no limit 1) f
        on true
      where v.id = p_version and v.owner_id = p_owner;
end $$;
grant execute on function af_confirmations(uuid, uuid, text) to af_login;

-- As before; and the places of a secret go with it: another one of its name was agreed to nowhere. A new value is the same secret.
create or replace function af_secret_changed() returns trigger language plpgsql
  security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  delete from connector_cache where owner_id = old.owner_id and credential = old.name;
  delete from connector_bindings where owner_id = old.owner_id and credential = old.name;
  if tg_op = 'DELETE' then
    delete from connector_confirmations where owner_id = old.owner_id and secret = old.name;
  end if;
  return null;
end $$;

reset role;
