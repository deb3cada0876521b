import { expect } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { owner, type Database, type ReadMode, type Statement } from '../../infra/db/database';

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

function nodes(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodes)];
}

/** Rows of a table that a statement read, and whether it ever read the whole table. */
export interface Looked {
  rows: number;
  whole: boolean;
}

/** Reads the plan that connections keep, made without the values; as af_app, as the product reads. */
export async function lookedAt(
  database: Database,
  callerId: string,
  table: string,
  { text, params = [] }: Statement,
  reading: ReadMode,
): Promise<Looked> {
  const name = `look_${randomUUID().replaceAll('-', '')}`;
  const values = params.length === 0 ? '' : `(${params.map(literal).join(', ')})`;
  const [, [row]] = await database.read<[unknown, { 'QUERY PLAN': [{ Plan: PlanNode }] }]>(
    owner(callerId),
    [
      { text: `prepare ${name} as ${text}` },
      { text: `explain (analyze, timing off, format json) execute ${name} ${values}` },
    ],
    reading,
  );
  const plan = row?.['QUERY PLAN'][0].Plan;
  const reads = (plan === undefined ? [] : nodes(plan)).filter((node) => node['Relation Name'] === table);
  expect(reads.length).toBeGreaterThan(0);
  return {
    rows: reads.reduce(
      (sum, node) => sum + (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
      0,
    ),
    whole: reads.some((node) => node['Node Type'] === 'Seq Scan'),
  };
}

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  const text = Array.isArray(value)
    ? `{${value.join(',')}}`
    : typeof value === 'string'
      ? value
      : JSON.stringify(value);
  return `'${text.replaceAll("'", "''")}'`;
}
