-- Derives the prefix of effect keys that several runs share, by name: a UUID of version 3 (RFC 9562), which no run has. Different inputs
-- may leave under such a prefix, so the key itself ends in a digest of the inputs. Null of null.
create function af_shared_key(p_name text) returns uuid language sql immutable parallel safe
  set search_path = pg_catalog, public, pg_temp as $$
  select overlay(overlay(md5(p_name) placing '3' from 13) placing '8' from 17)::uuid
$$;
