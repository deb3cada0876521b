-- What stands before keys that several runs share, by name. A UUID of version 3 (RFC 9562), which no run has: under such a key another
-- body may leave, so that it ends in a digest of the inputs. Null of null.
create function af_shared_key(p_name text) returns uuid language sql immutable parallel safe
  set search_path = pg_catalog, public, pg_temp as $$
  select overlay(overlay(md5(p_name) placing '3' from 13) placing '8' from 17)::uuid
$$;
