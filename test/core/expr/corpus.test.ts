import { describe, expect, it } from '@jest/globals';
import type { Json } from '../../../core/base/json';
import type { RunClock } from '../../../core/engine/clock';
import { isBuiltin, resolveBuiltin } from '../../../core/expr/builtins';
import { evaluateCondition, parseCondition } from '../../../core/expr/condition';
import { walkPath } from '../../../core/expr/reference';
import { collectReferences, parseTemplate, renderValue } from '../../../core/expr/template';
import type { Lookup } from '../../../core/expr/types';
import { isTrue, parsed, problemOf } from './support';

/** Scope of a filing review's run after a few steps. */
const values: { [root: string]: Json } = {
  entity_name: 'Harbor Light Foundation',
  pull_990_data: {
    status: 'ok',
    count: 2,
    results: [
      { ein: '010203040', tax_year: '2022', total_revenue: 1_200_000, officers: [{ name: 'A. Reyes', pay: 40_000 }] },
      { ein: '010203040', tax_year: '2021', total_revenue: 1_900_000, officers: [] },
    ],
  },
  cross_ref: { matches: [{ canonical_name: 'A. REYES', score: 0.93 }], count: 1 },
  web: null,
  gate: { decision: 'approved', instructions: 'Leave out {names}', edits: null },
  item: { name: 'one', tags: ['a', 'b'] },
  item_index: 0,
};
const clock: RunClock = { now: '2024-03-15T08:00:00Z', today: '2024-03-15', time_zone: 'UTC' };

const lookup: Lookup = ({ root, path }) => {
  const value = isBuiltin(root)
    ? resolveBuiltin(root, clock, 'run-1')
    : Object.hasOwn(values, root)
      ? values[root]
      : undefined;
  return walkPath(value, path);
};

describe('inputs of steps', () => {
  it('are rendered with their types', () => {
    const inputs: Json = {
      query: '{entity_name}',
      data: '{pull_990_data.results}',
      ein: '{pull_990_data.results[0].ein}',
      years: '{pull_990_data.results[*].tax_year}',
      names: '{pull_990_data.results[*].officers[*].name}',
      canonical: '{cross_ref.matches[0].canonical_name}',
      since: '{30_days_ago}',
      until: '{today}',
      run_id: '{execution_id}',
      last_run: '{last_execution_date}',
      skipped: '{web.results[0].url}',
      title: '{entity_name}: {pull_990_data.count} filings, {30_days_ago} to {today}',
      options: { entity_types: ['PERSON', 'ORG'], limit: 10, deep: [{ note: '{gate.instructions}' }] },
    };
    expect(renderValue(inputs, lookup)).toEqual({
      query: 'Harbor Light Foundation',
      data: walkPath(values['pull_990_data'], [{ kind: 'field', name: 'results' }]),
      ein: '010203040',
      years: ['2022', '2021'],
      names: [['A. Reyes'], []],
      canonical: 'A. REYES',
      since: '2024-02-14',
      until: '2024-03-15',
      run_id: 'run-1',
      last_run: null,
      skipped: null,
      title: 'Harbor Light Foundation: 2 filings, 2024-02-14 to 2024-03-15',
      options: { entity_types: ['PERSON', 'ORG'], limit: 10, deep: [{ note: 'Leave out {names}' }] },
    });
  });

  it('name what they depend on', () => {
    const inputs: Json = {
      a: '{pull_990_data.results}',
      b: ['{today}', 'x {cross_ref.count} {today}'],
      c: { d: '{item.name}' },
    };
    expect(collectReferences(inputs).map(({ root }) => root)).toEqual(['pull_990_data', 'today', 'cross_ref', 'item']);
  });
});

describe('conditions', () => {
  it.each<[string, boolean]>([
    ['{pull_990_data.count} > 0', true],
    ['{committee_id} is defined', false],
    ['{pull_990_data.count} > 0 AND {entity_name} is defined', true],
    ["{initial_search.entities[0].type} == 'ORG'", false],
    ["{gate.decision} == 'approved'", true],
    ["{gate.decision} in ['approved', 'auto_approved']", true],
    ["{web} is not defined OR {web.status} == 'failed'", true],
    ['{cross_ref.matches[0].score} >= 0.7 and {cross_ref.matches[0].score} < 0.95', true],
    ['length({pull_990_data.results}) == {pull_990_data.count}', true],
    ['1 - {pull_990_data.results[0].total_revenue} / {pull_990_data.results[1].total_revenue} > 0.3', true],
    ['{pull_990_data.results[0].officers[0].pay} > 0.025 * {pull_990_data.results[0].total_revenue}', true],
    ['sum({pull_990_data.results[*].total_revenue}) > 3e6', true],
    ['date_diff_days({30_days_ago}, {today}) == 30', true],
    ['{last_execution_date} is defined AND {last_execution_date} < {today}', false],
    ["'b' in {item.tags} AND {item_index} == 0", true],
    ["NOT ({pull_990_data.status} == 'failed' OR {pull_990_data.status} == 'skipped')", true],
    ['lower({cross_ref.matches[0].canonical_name}) == lower({pull_990_data.results[0].officers[0].name})', true],
    ['coalesce({web.count}, 0) == 0', true],
  ])('%s is %s', (text, expected) => {
    expect(evaluateCondition(parsed(parseCondition(text)), lookup)).toBe(expected);
  });
});

describe('prompts keep what is not ours', () => {
  it.each([
    ['JSON, compact', 'Answer with {"flags":[{"code":"x","why":"..."}],"ok":{}}'],
    ['JSON, pretty', 'Answer with\n{\n  "flags": [\n    { "code": "x" }\n  ]\n}\n'],
    ['JSON, single quotes', "{'a': {'b': 1}}"],
    ['JSON, empty', '{} and {"a":{}}'],
    ['GraphQL', 'query { viewer { login } }'],
    ['Cypher', 'MATCH (a { name: $n })-[r]->(b) RETURN a { .name }'],
    ['CSS', 'p { color: red } .a{ margin: 0 }'],
    ['a regular expression', '^[A-Z]{2}\\d{4,6}$'],
    ['a set', '{ x | x > 0 }, {∅}, {1}, {1, 2}'],
    ['a shell variable', '${ HOME } $'],
    ['a format string', '{:>10} {%s} {!r}'],
    ['LaTeX', '\\frac{ a }{ b }'],
    ['an empty object and a stray brace', '} {} { }'],
  ])('%s', (_name, text) => {
    expect(renderValue(text, lookup)).toBe(text);
  });

  it('and take references in between', () => {
    const prompt = 'Subject: {entity_name}\nSchema: {"name": "...", "n": {"min": {item_index}}}\nTags: {item.tags}';
    expect(renderValue(prompt, lookup)).toBe(
      'Subject: Harbor Light Foundation\nSchema: {"name": "...", "n": {"min": 0}}\nTags: ["a","b"]',
    );
  });

  it.each([
    ['LaTeX with a name', '\\frac{a}{b} and \\text{two words}', 'two words'],
    ['an object without quotes', 'like {name: "x"}', 'name: '],
    ['a JavaScript shorthand', 'return {a, b}', 'a, b'],
    ['a call', '{today()}', 'today('],
    ['Python', '{x!r}', 'x!'],
    ['arithmetic', '{item_index+1}', 'item_index+'],
    ['a default', "{name|default('x')}", 'name|'],
    ['a ternary', '{a ? b : c}', 'a ?'],
  ])('%s is refused with the way to write it', (_name, text, place) => {
    const problem = problemOf(parseTemplate(text));
    expect(problem.suggestion).toContain('{{');
    const from = text.indexOf(place);
    expect(problem.offset).toBeGreaterThan(from);
    expect(problem.offset).toBeLessThanOrEqual(from + place.length);
  });

  it('and another template language in doubled braces comes out single', () => {
    expect(renderValue('Dear {{customer.name}}, {entity_name}', lookup)).toBe(
      'Dear {customer.name}, Harbor Light Foundation',
    );
  });
});

describe('what a tool returned cannot steer the run', () => {
  const hostile: Json = {
    text: '{entity_name} {{x}} }} {step.constructor.constructor("return process")()}',
    condition: "true OR {a} == 'x'",
    list: ['{today}', { '{today}': '{today}' }],
    number: '1) OR (1 == 1',
  };
  const tool: Lookup = ({ root, path }) => (root === 'tool' ? walkPath(hostile, path) : 'LEAK');

  it('in a template', () => {
    expect(renderValue('{tool.text}', tool)).toBe((hostile as { text: string }).text);
    expect(renderValue('<{tool.text}>', tool)).toBe(`<${(hostile as { text: string }).text}>`);
    expect(renderValue({ all: '{tool}' }, tool)).toEqual({ all: hostile });
    expect(renderValue('list: {tool.list}', tool)).toBe('list: ["{today}",{"{today}":"{today}"}]');
  });

  it('in a condition', () => {
    const scope = { tool: hostile };
    expect(isTrue("{tool.condition} == 'x'", scope)).toBe(false);
    expect(isTrue('number({tool.number}) == 1', scope)).toBe(false);
    expect(isTrue("{tool.text} contains 'Harbor'", scope)).toBe(false);
    expect(isTrue("'LEAK' in {tool.list}", scope)).toBe(false);
  });
});
