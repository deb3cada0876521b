import { Client } from 'pg';

/** Replacement of pg_dump for machines without it: one line for each object of a schema, in a fixed order. */
const PARTS = [
  `select 'table ' || c.relname || ' ' || pg_get_userbyid(c.relowner) || ' rls ' || c.relrowsecurity || ' ' || c.relforcerowsecurity
    || ' ' || coalesce(c.reloptions::text, '') || ' acl ' || coalesce(acl.text, '')
    from pg_class c left join lateral (select string_agg(a::text, ',' order by a::text) as text from unnest(coalesce(c.relacl, acldefault(case c.relkind when 'S' then 's' else 'r' end::"char", c.relowner))) a) acl on true
    where c.relnamespace = $1::regnamespace and c.relkind in ('r', 'S') and c.relname !~ '^(migrations|typeorm)'`,
  `select 'column ' || c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod) || ' ' || a.attnotnull || ' '
    || coalesce(pg_get_expr(d.adbin, d.adrelid), '') || ' ' || a.attidentity::text || a.attgenerated::text || a.attstorage::text || ' '
    || row_number() over (partition by c.oid order by a.attnum) || ' acl ' || coalesce(acl.text, '')
    from pg_attribute a join pg_class c on c.oid = a.attrelid left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    left join lateral (select string_agg(x::text, ',' order by x::text) as text from unnest(a.attacl) x) acl on true
    where c.relnamespace = $1::regnamespace and c.relkind in ('r', 'c') and a.attnum > 0 and not a.attisdropped and c.relname <> 'migrations'`,
  `select 'constraint ' || t.relname || '.' || c.conname || ' ' || pg_get_constraintdef(c.oid)
    from pg_constraint c join pg_class t on t.oid = c.conrelid where t.relnamespace = $1::regnamespace and t.relname <> 'migrations'`,
  `select 'index ' || pg_get_indexdef(i.indexrelid) from pg_index i join pg_class t on t.oid = i.indrelid
    where t.relnamespace = $1::regnamespace and t.relname <> 'migrations'`,
  `select 'function ' || pg_get_functiondef(p.oid) || ' ' || pg_get_userbyid(p.proowner) || ' acl ' || coalesce(acl.text, '')
    from pg_proc p left join lateral (select string_agg(a::text, ',' order by a::text) as text from unnest(coalesce(p.proacl, acldefault('f', p.proowner))) a) acl on true
    where p.pronamespace = $1::regnamespace`,
  `select 'trigger ' || pg_get_triggerdef(t.oid) from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where not t.tgisinternal and c.relnamespace = $1::regnamespace`,
  `select 'policy ' || c.relname || ' ' || p.polname || ' ' || p.polcmd::text || ' ' || p.polpermissive || ' '
    || (select string_agg(pg_get_userbyid(r), ',' order by pg_get_userbyid(r)) from unnest(p.polroles) r) || ' using '
    || coalesce(pg_get_expr(p.polqual, p.polrelid), '') || ' check ' || coalesce(pg_get_expr(p.polwithcheck, p.polrelid), '')
    from pg_policy p join pg_class c on c.oid = p.polrelid where c.relnamespace = $1::regnamespace`,
];

export async function describeOf(url: string, schema = 'public'): Promise<string[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const lines: string[] = [];
    for (const part of PARTS) {
      const { rows } = await client.query<{ line: string }>(
        `select line from (${part}) as l (line) order by line collate "C"`,
        [schema],
      );
      lines.push(...rows.map(({ line }) => line));
    }
    return lines;
  } finally {
    await client.end();
  }
}
