import { isDenied } from './denied-functions';
import { commandName, READING_NODES } from './reading-nodes';

/** Name in a statement: with its schema if it is written. */
export interface QualifiedName {
  schema: string | null;
  name: string;
}

/** Names that have to be looked up in the target before the statement may run there. */
export interface StatementFacts {
  functions: QualifiedName[];
  operators: QualifiedName[];
  /** Types of casts and of declared columns. */
  types: QualifiedName[];
  /** Ways to take samples. */
  samples: QualifiedName[];
  /** Last names of `a.b`: PostgreSQL takes them for functions of one row too. */
  fields: string[];
  /** Byte of each `$n` → n. */
  parameters: Map<number, number>;
}

/** A rule that a statement breaks. `at`: byte in the statement, -1 where the grammar does not tell. */
export class StatementRuleError extends Error {
  constructor(
    message: string,
    readonly at: number,
  ) {
    super(message);
  }
}

type Tree = { [field: string]: unknown };
interface Visit {
  value: unknown;
  at: number;
}

/**
 * Looks at every node of one statement. Refuses what does more than read: other commands at any depth, INTO, row locks,
 * functions that are never allowed.
 */
export function statementFacts(statement: unknown): StatementFacts {
  const facts: StatementFacts = {
    functions: [],
    operators: [],
    types: [],
    samples: [],
    fields: [],
    parameters: new Map(),
  };
  // A list of its own and no recursion: a tree can be deeper than a stack.
  const open: Visit[] = [{ value: statement, at: -1 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, at } = next;
    if (Array.isArray(value)) {
      for (const item of value) open.push({ value: item, at });
    } else if (isTree(value)) {
      const here = typeof value['location'] === 'number' ? value['location'] : at;
      for (const [key, inner] of Object.entries(value)) {
        look(facts, key, { value: inner, at: here });
        open.push({ value: inner, at: here });
      }
    }
  }
  return facts;
}

function look(facts: StatementFacts, key: string, { value, at }: Visit): void {
  if (key === 'intoClause') throw new StatementRuleError('INTO makes a table; a connector only reads.', at);
  if (key === 'lockingClause') {
    throw new StatementRuleError('FOR UPDATE and FOR SHARE lock rows; a connector only reads.', at);
  }
  // A type stands in its place without a node of its own, but in lists.
  if (/^[tT]ypeName$/.test(key) && isTree(value)) addNamed(facts.types, namesOf(value['names']));
  if (!/^[A-Z]/.test(key) || !isTree(value)) return;
  const here = typeof value['location'] === 'number' ? value['location'] : at;
  if (!READING_NODES.has(key)) {
    throw new StatementRuleError(
      `${commandName(key)} is not allowed: a statement is one SELECT, VALUES, WITH or TABLE that only reads.`,
      here,
    );
  }
  note(facts, key, value, here);
}

function note(facts: StatementFacts, key: string, node: Tree, at: number): void {
  switch (key) {
    case 'FuncCall':
      noteFunction(facts, namesOf(node['funcname']), at);
      break;
    case 'A_Expr':
      addNamed(facts.operators, namesOf(node['name']));
      break;
    case 'SubLink':
      addNamed(facts.operators, namesOf(node['operName']));
      break;
    case 'SortBy':
      addNamed(facts.operators, namesOf(node['useOp']));
      break;
    case 'ColumnRef':
      facts.fields.push(...namesOf(node['fields']).slice(1));
      break;
    case 'A_Indirection':
      facts.fields.push(...namesOf(node['indirection']));
      break;
    case 'RangeTableSample':
      noteSample(facts, namesOf(node['method']), at);
      break;
    case 'ParamRef':
      // Protobuf leaves out a zero.
      facts.parameters.set(at < 0 ? 0 : at, typeof node['number'] === 'number' ? node['number'] : 0);
      break;
    default:
  }
}

function noteFunction(facts: StatementFacts, names: string[], at: number): void {
  const name = names.at(-1) ?? '';
  if (isDenied(name)) throw new StatementRuleError(`The function \`${name}\` may not be called by a connector.`, at);
  addNamed(facts.functions, names);
}

/** Refuses other methods: they come with extensions and are unknown. */
function noteSample(facts: StatementFacts, names: string[], at: number): void {
  const [schema, name] = names.length > 1 ? names.slice(-2) : ['pg_catalog', names[0]];
  if (schema !== 'pg_catalog' || (name !== 'system' && name !== 'bernoulli')) {
    throw new StatementRuleError(`TABLESAMPLE takes SYSTEM or BERNOULLI, not \`${names.join('.')}\`.`, at);
  }
  addNamed(facts.samples, [name]);
}

function addNamed(list: QualifiedName[], names: string[]): void {
  const name = names.at(-1);
  if (name !== undefined) list.push({ schema: names.at(-2) ?? null, name });
}

function namesOf(list: unknown): string[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((item: unknown) => {
    const text = isTree(item) && isTree(item['String']) ? item['String']['sval'] : undefined;
    return typeof text === 'string' ? [text] : [];
  });
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
