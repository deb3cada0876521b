import type { Client } from 'pg';
import { shorten } from '../../../core/base/shorten';
import { AppError } from '../../../core/errors/app-error';
import { HARMLESS_VOLATILE } from './denied-functions';
import { SyntaxFault } from './grammar';
import { expressionsOf, volatilePart } from './parts';
import type { Expression } from './parts';
import { expressionFacts } from './statement';
import { StatementRuleError } from './statement-rules';
import type { StatementFacts } from './statement-rules';

/**
 * Names of the statement that the target declares VOLATILE: these may do anything. Names without a schema are looked up
 * where the target would find them; one volatile function of that name is enough. An aggregate is as volatile as what
 * it calls.
 */
const VOLATILE = `with visible as (
    select n.oid, n.nspname from pg_catalog.pg_namespace n),
  called as (
    select c.schema, c.name from unnest($1::text[], $2::text[]) as c (schema, name)),
  found as (
    select n.nspname, p.proname from called c join pg_catalog.pg_proc p on p.proname = c.name
      join visible n on n.oid = p.pronamespace
    where (c.schema = n.nspname or c.schema is null and n.nspname = any (current_schemas(true)))
      and (p.provolatile = 'v' or exists (select from pg_catalog.pg_aggregate a join pg_catalog.pg_proc f
        on f.oid in (a.aggtransfn, a.aggfinalfn, a.aggcombinefn, a.aggserialfn, a.aggdeserialfn, a.aggmtransfn, a.aggminvtransfn, a.aggmfinalfn)
        where a.aggfnoid = p.oid and f.provolatile = 'v'))
      and not (n.nspname = 'pg_catalog' and p.proname = any ($5::text[]))
    union all
    select n.nspname, o.oprname from unnest($3::text[]) as c (name) join pg_catalog.pg_operator o on o.oprname = c.name
      join visible n on n.oid = o.oprnamespace join pg_catalog.pg_proc p on p.oid in (o.oprcode, o.oprrest, o.oprjoin)
    where p.provolatile = 'v'
    union all
    select n.nspname, p.proname from unnest($4::text[]) as c (name) join pg_catalog.pg_proc p on p.proname = c.name
      join visible n on n.oid = p.pronamespace
      join pg_catalog.pg_type t on t.oid = p.proargtypes[0]
    where p.pronargs = 1 and p.provolatile = 'v' and t.typtype in ('c', 'p'))
  select nspname || '.' || proname as name from found order by 1 limit 1`;

/** Characters of expressions that one call reads. The target writes them, so it would say how long we are busy. */
const MOST_EXPRESSIONS = 100_000;

/**
 * Throws `sql_refused` for what the statement uses and the target declares VOLATILE: functions, operators, casts, the input of types. Checks of
 * domains and defaults of parameters are expressions themselves, which are read as the statement is.
 */
export async function requireStable(client: Client, facts: StatementFacts): Promise<void> {
  const seen = new Set<string>();
  const open = [facts];
  let read = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const found = (await volatileName(client, next)) ?? (await volatilePart(client, next));
    if (found !== undefined) throw isVolatile(found);
    for (const expression of await expressionsOf(client, next)) {
      if (seen.has(expression.text)) continue;
      seen.add(expression.text);
      read += expression.text.length;
      if (read > MOST_EXPRESSIONS) throw isTooMuch(expression);
      open.push(factsIn(expression));
    }
  }
}

async function volatileName(
  client: Client,
  { functions, operators, fields }: StatementFacts,
): Promise<string | undefined> {
  const { rows } = await client.query<{ name: string }>(VOLATILE, [
    functions.map((called) => called.schema),
    functions.map((called) => called.name),
    operators.map((operator) => operator.name),
    fields,
    HARMLESS_VOLATILE,
  ]);
  return rows[0]?.name;
}

function factsIn({ what, text }: Expression): StatementFacts {
  try {
    return expressionFacts(text);
  } catch (error) {
    if (!(error instanceof StatementRuleError || error instanceof SyntaxFault)) throw error;
    throw new AppError(
      'sql_refused',
      `The statement uses ${what}, which a connector may not carry out: ${error.message}`,
      { category: 'forbidden', details: { part: what } },
    );
  }
}

function isTooMuch({ what }: Expression): AppError {
  return new AppError(
    'sql_refused',
    `The checks and defaults that this statement uses in the database have more than ${MOST_EXPRESSIONS} characters together (the last one read: ${shorten(what, 100)}). Ask a view or a table that uses fewer of them.`,
    { category: 'forbidden' },
  );
}

function isVolatile(name: string): AppError {
  return new AppError(
    'sql_refused',
    `The statement uses \`${name}\`, which this database declares VOLATILE: it may change something. Only STABLE and IMMUTABLE functions may be called.`,
    { category: 'forbidden', details: { function: name } },
  );
}
