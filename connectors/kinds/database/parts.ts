import type { Client } from 'pg';
import type { QualifiedName, StatementFacts } from './statement-rules';

/** An expression of the target that runs when a statement uses what it belongs to. */
export interface Expression {
  /** Name for people. */
  what: string;
  text: string;
}

/**
 * Functions that are called, and every type that a value may become by them or by a cast: those that are named (a function of one parameter
 * may be a cast as well, so may a field), those of parameters, and what is inside of all of them.
 */
const REACH = `with recursive called as (
    select c.schema, c.name from unnest($1::text[], $2::text[]) as c (schema, name)),
  procs as (
    select p.oid, p.proargtypes, p.proargdefaults from called c join pg_catalog.pg_proc p on p.proname = c.name
      join pg_catalog.pg_namespace n on n.oid = p.pronamespace
    where n.nspname <> 'pg_catalog' and (c.schema = n.nspname or c.schema is null and n.nspname = any (current_schemas(true)))),
  named as (
    select schema, name from called union select * from unnest($3::text[], $4::text[]) union select null, unnest($5::text[])),
  reach (oid) as (
    (select t.oid from named c join pg_catalog.pg_type t on t.typname = c.name
        join pg_catalog.pg_namespace n on n.oid = t.typnamespace
      where c.schema = n.nspname or c.schema is null and n.nspname = any (current_schemas(true))
    union
    select unnest(p.proargtypes) from procs p)
    union
    select x.oid from reach r join pg_catalog.pg_type t on t.oid = r.oid cross join lateral (
      select t.typelem union select t.typbasetype
      union select a.atttypid from pg_catalog.pg_attribute a where a.attrelid = t.typrelid and a.attnum > 0 and not a.attisdropped
      union select g.rngsubtype from pg_catalog.pg_range g where t.oid in (g.rngtypid, g.rngmultitypid)) x (oid)
    where x.oid <> 0)`;

/** PostgreSQL's own have smaller numbers, and none of what it does unasked is volatile. */
const FIRST_OF_OTHERS = 16_384;

/**
 * Casts to such a type, and those that happen unasked; how such a type is read and written; how values are sorted and compared without
 * an operator in the text; ways to take samples that only look like PostgreSQL's own.
 */
const VOLATILE_PARTS = `${REACH},
  loud as materialized (
    select oid from pg_catalog.pg_proc where oid >= ${FIRST_OF_OTHERS} and provolatile = 'v')
  select format('cast (%s as %s)', c.castsource::regtype, c.casttarget::regtype) as name
    from pg_catalog.pg_cast c join loud f on f.oid = c.castfunc
    where c.castcontext = 'i' or c.casttarget in (select oid from reach)
  union all
  select format('type %s', t.oid::regtype) from loud f
    join pg_catalog.pg_type t on f.oid in (t.typinput, t.typmodin, t.typoutput) where t.oid in (select oid from reach)
  union all
  select format('operator class of %s', a.amproclefttype::regtype) from loud f join pg_catalog.pg_amproc a on a.amproc = f.oid
    join pg_catalog.pg_opfamily o on o.oid = a.amprocfamily join pg_catalog.pg_am m on m.oid = o.opfmethod
    where m.amname in ('btree', 'hash')
  union all
  select format('operator class of %s', a.amoplefttype::regtype) from loud f join pg_catalog.pg_operator o on o.oprcode = f.oid
    join pg_catalog.pg_amop a on a.amopopr = o.oid join pg_catalog.pg_am m on m.oid = a.amopmethod
    where m.amname in ('btree', 'hash')
  union all
  select format('tablesample %s.%s', n.nspname, p.proname) from unnest($6::text[]) as s (name)
    join pg_catalog.pg_proc p on p.proname = s.name join pg_catalog.pg_namespace n on n.oid = p.pronamespace
    where n.nspname <> 'pg_catalog' and n.nspname = any (current_schemas(true))
      and p.prorettype = 'pg_catalog.tsm_handler'::regtype
  limit 1`;

const EXPRESSIONS = `${REACH}
  select format('the check of the domain \`%s\`', r.oid::regtype) as what, pg_catalog.pg_get_expr(c.conbin, 0) as text
    from reach r join pg_catalog.pg_constraint c on c.contypid = r.oid where c.contype = 'c'
  union all
  select format('a default of \`%s\`', p.oid::regprocedure), pg_catalog.pg_get_expr(p.proargdefaults, 0)
    from procs p where p.proargdefaults is not null`;

/** A part of the target that the statement may run and that is declared VOLATILE. */
export async function volatilePart(client: Client, facts: StatementFacts): Promise<string | undefined> {
  const samples = facts.samples.map(({ name }) => name);
  const { rows } = await client.query<{ name: string }>(VOLATILE_PARTS, [...reachOf(facts), samples]);
  return rows[0]?.name;
}

export async function expressionsOf(client: Client, facts: StatementFacts): Promise<Expression[]> {
  return (await client.query<Expression>(EXPRESSIONS, reachOf(facts))).rows;
}

function reachOf({ functions, types, fields }: StatementFacts): unknown[] {
  return [...columnsOf(functions), ...columnsOf(types), fields];
}

function columnsOf(list: readonly QualifiedName[]): (string | null)[][] {
  return [list.map(({ schema }) => schema), list.map(({ name }) => name)];
}
