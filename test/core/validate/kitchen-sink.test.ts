import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parse, stringify } from 'yaml';
import { isJsonObject, type Json } from '../../../core/base/json';
import { collectConnectorSlugs, collectPlaybookSlugs } from '../../../core/validate/catalogue';
import { buildStepGraph } from '../../../core/validate/step-graph';
import { validatePlaybook } from '../../../core/validate/validate-playbook';
import { CATALOGUE } from './harness';

const TEXT = readFileSync(join(__dirname, 'playbooks', 'kitchen-sink.yaml'), 'utf8');
const RESULT = validatePlaybook(TEXT, CATALOGUE);

describe('the kitchen sink', () => {
  it('is valid and free of warnings', () => {
    expect(RESULT.problems).toEqual([]);
    expect(RESULT.valid).toBe(true);
    expect(RESULT.steps.map((step) => [step.step_name, step.is_valid])).toContainEqual(['judge', true]);
  });

  it('gives the same plan as JSON', () => {
    expect(validatePlaybook(JSON.stringify(parse(TEXT)), CATALOGUE).plan).toEqual(RESULT.plan);
  });

  it('is plain JSON', () => {
    expect(JSON.parse(JSON.stringify(RESULT.plan))).toEqual(RESULT.plan);
  });

  it('names what it needs', () => {
    if (!RESULT.plan) throw new Error('no plan');
    expect(collectConnectorSlugs(RESULT.plan)).toEqual(['irs']);
    expect(collectPlaybookSlugs(RESULT.plan)).toEqual(['child']);
  });

  it('can be drawn', () => {
    if (!RESULT.plan) throw new Error('no plan');
    const graph = buildStepGraph(RESULT.plan, CATALOGUE);
    expect(graph.nodes.find((node) => node.step === 'pull')).toEqual({
      step: 'pull',
      kind: 'tool',
      action: 'call_connector',
      key: 'filings',
      inputs: [
        { name: 'ein', type: 'string', required: true },
        { name: 'since', type: 'date' },
        { name: 'limit', type: 'integer', required: true },
        { name: 'kinds', type: 'any[]' },
      ],
      outputs: [
        { name: 'results', type: 'record[]' },
        { name: 'count', type: 'integer' },
      ],
    });
    expect(graph.nodes.find((node) => node.step === 'judge')).toMatchObject({
      parent: 'each_flag',
      outputs: [
        { name: 'verdict', type: 'string' },
        { name: 'reasons', type: 'string[]' },
      ],
    });
    expect(graph.edges).toContainEqual({ from: 'pull', to: 'flag', via: 'sequence' });
    expect(graph.edges).toContainEqual({
      from: 'pull',
      to: 'flag',
      via: 'reference',
      reference: 'filings.results',
      type: 'record[]',
    });
    expect(graph.edges).toContainEqual({
      from: 'critique',
      to: 'draft',
      via: 'reference',
      reference: 'critique.remarks',
      type: 'string',
    });
    expect(graph.edges).not.toContainEqual(
      expect.objectContaining({ from: 'history', to: 'same_people', via: 'sequence' }),
    );
  });

  it('the graph of a DAG has its dependencies', () => {
    const dag =
      'id: dag\nsteps:\n  - {name: a, step_type: approval}\n  - {name: b, step_type: approval, depends_on: [a]}\n  - {name: c, step_type: approval}';
    const { plan } = validatePlaybook(dag, CATALOGUE);
    if (!plan) throw new Error('no plan');
    expect(buildStepGraph(plan).edges).toEqual([{ from: 'a', to: 'b', via: 'depends_on' }]);
  });
});

describe('any change of the kitchen sink', () => {
  const places = paths(parse(TEXT) as Json);

  /** Replaces, removes or renames one place of the document. */
  const mutation = fc.record({
    path: fc.constantFrom(...places),
    how: fc.constantFrom('replace', 'remove', 'rename'),
    value: fc.oneof(
      fc.constantFrom<Json>('{nope.x}', '{flags}', '{', 'tool', 'judge', null, true, 7, [], {}, [[]], [{}], {
        secret: 'x',
      }),
      fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>,
    ),
  });

  it('is answered with problems that have a place, or with a plan; never with an exception', () => {
    fc.assert(
      fc.property(fc.array(mutation, { minLength: 1, maxLength: 3 }), (mutations) => {
        const document = parse(TEXT) as Json;
        for (const { path, how, value } of mutations) mutate(document, path, how, value);
        const { valid, plan, problems } = validatePlaybook(
          stringify(document, { aliasDuplicateObjects: false }),
          CATALOGUE,
        );
        expect(valid).toBe(plan !== undefined);
        expect(valid).toBe(!problems.some((problem) => problem.severity === 'error'));
        for (const problem of problems) {
          expect(problem.message).toMatch(/[.?!…]$/);
          if (problem.code !== 'more_problems') expect(problem.line).toBeGreaterThanOrEqual(1);
        }
      }),
      { numRuns: 100 },
    );
  });
});

function paths(value: Json, prefix: (string | number)[] = []): (string | number)[][] {
  const own = prefix.length === 0 ? [] : [prefix];
  if (Array.isArray(value)) return [...own, ...value.flatMap((item, index) => paths(item, [...prefix, index]))];
  if (!isJsonObject(value)) return own;
  return [...own, ...Object.entries(value).flatMap(([key, item]) => paths(item, [...prefix, key]))];
}

function mutate(document: Json, path: (string | number)[], how: string, value: Json): void {
  let node: Json | undefined = document;
  for (const part of path.slice(0, -1))
    node = Array.isArray(node) ? node[Number(part)] : isJsonObject(node) ? node[part] : undefined;
  const last = path[path.length - 1];
  if (Array.isArray(node)) {
    if (how === 'remove') node.splice(Number(last), 1);
    else node[Number(last)] = value;
  } else if (node !== undefined && isJsonObject(node) && last !== undefined) {
    if (how === 'replace') node[last] = value;
    else if (how === 'rename') node[`${last}x`] = node[last] ?? null;
    if (how !== 'replace') delete node[last];
  }
}
