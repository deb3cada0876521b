import { describe, expect, it } from '@jest/globals';
import type { Json } from '../../../core/base/json';
import { MemoryStore } from '../../../core/dry-run/memory-store';
import { sampleOf } from '../../../core/dry-run/sample-value';
import type { DryReport, DryRunRequest } from '../../../core/dry-run/types';
import type { LoadCommand, StoreCommand } from '../../../core/engine/commands';
import type { RefValue } from '../../../core/engine/values';
import type { Shape } from '../../../core/validate/shape';
import { dryRunOf, KEEP } from './support';

function run(steps: string, more: Partial<DryRunRequest> = {}, head = ''): Promise<DryReport> {
  return dryRunOf(`id: test\n${head}\nsteps:\n${steps}`, more);
}

describe('a value that stands in for a result', () => {
  it.each<[Shape, Json]>([
    [{ type: 'any' }, null],
    [{ type: 'string' }, 'sample value'],
    [{ type: 'text' }, 'sample value'],
    [{ type: 'entity_name' }, 'sample value'],
    [{ type: 'date' }, '2026-01-01'],
    [{ type: 'boolean' }, true],
    [{ type: 'number' }, 1],
    [{ type: 'integer' }, 1],
    [{ type: 'string[]' }, ['sample value']],
    [{ type: 'any[]' }, [null]],
    [{ type: 'record' }, {}],
    [{ type: 'record_set' }, [{}]],
    [{ type: 'record_set', fields: [{ name: 'a', type: 'string' }] }, [{ a: 'sample a' }]],
    [{ type: 'record[]', fields: [{ name: 'a', type: 'list' }] }, [{ a: [null] }]],
    [{ type: 'object', fields: [{ name: 'kind', type: 'string', enum: ['x', 'y'] }] }, { kind: 'x' }],
    [
      {
        type: 'object',
        fields: [
          { name: 'failed_count', type: 'integer' },
          { name: 'error_rate', type: 'number' },
        ],
      },
      { failed_count: 0, error_rate: 0 },
    ],
    [
      { type: 'object', fields: [{ name: 'in', type: 'document', fields: [{ name: 'no', type: 'integer' }] }] },
      { in: { no: 1 } },
    ],
  ])('of %j is %j', (shape, value) => {
    expect(sampleOf(shape)).toEqual(value);
  });

  it('comes to an end where a contract describes itself', () => {
    const shape: Shape = { type: 'object', fields: [] };
    shape.fields?.push({ name: 'in', ...(shape as { type: string }) });
    expect(JSON.stringify(sampleOf(shape)).match(/in/g)?.length).toBe(9);
    const lists: Shape = { type: 'record[]', fields: [] };
    lists.fields?.push({ name: 'in', ...(lists as { type: string }) });
    expect(JSON.stringify(sampleOf(lists)).match(/in/g)?.length).toBe(4);
  });
});

describe('what a dry run keeps in memory', () => {
  const store = (...parts: unknown[]): StoreCommand => ({ parts }) as unknown as StoreCommand;
  const load = (command: object): LoadCommand => ({ refs: {}, ...command }) as unknown as LoadCommand;
  const value = (given: Json): RefValue => ({ kind: 'value', value: given });

  it('comes back as the list that was put aside, also out of lists that were', () => {
    const memory = new MemoryStore();
    const first = memory.store(store({ kind: 'value', value: 1 }, { kind: 'value', value: [2] }));
    expect(first.value).toBeNull();
    expect(first.handles?.['']?.count).toBe(2);
    expect(memory.load(first)).toEqual([1, [2]]);
    const second = memory.store(store({ kind: 'stored', stored: first }, { kind: 'value', value: null }));
    expect(memory.load(second)).toEqual([[1, [2]], null]);
    expect(memory.load({ value: { a: 1, list: null }, handles: { list: second.handles![''] as never } })).toEqual({
      a: 1,
      list: [[1, [2]], null],
    });
    expect(memory.load({ value: { a: 1 } })).toEqual({ a: 1 });
  });

  it('is found along a path; what is not there is nothing', () => {
    const memory = new MemoryStore();
    const stored = memory.store(store({ kind: 'value', value: { a: 5 } }));
    const path = [
      { kind: 'index' as const, index: 0 },
      { kind: 'field' as const, name: 'a' },
    ];
    expect(memory.resolve({ kind: 'stored', stored, path })).toBe(5);
    expect(memory.resolve({ kind: 'stored', stored, path: [{ kind: 'index', index: 7 }] })).toBeUndefined();
    expect([memory.resolve(value(null)), memory.resolve({ kind: 'undefined' }), memory.resolve(undefined)]).toEqual([
      null,
      undefined,
      undefined,
    ]);
  });

  it('answers what the engine asks for: values, a verdict, a preview, the items of a list', () => {
    const memory = new MemoryStore();
    const refs = { a: value(3), gone: { kind: 'undefined' as const } };
    expect(memory.loaded(load({ refs }))).toEqual({ values: { a: 3, gone: null } });
    expect(memory.loaded(load({ refs, condition: '{a} > 2' }))).toEqual({ values: {}, verdict: true });
    expect(memory.loaded(load({ refs, condition: '{a} > 3' }))).toEqual({ values: {}, verdict: false });
    expect(memory.loaded(load({ refs, condition: '{a} >' }))).toEqual({ values: {}, verdict: false });
    expect(memory.loaded(load({ preview: { value: value([1, 2, 3]), limit: 2 } })).preview).toMatchObject({ total: 3 });
    expect(memory.loaded(load({ items: { list: value(['x', 'y']) } })).items).toEqual({
      list: [{ value: 'x' }, { value: 'y' }],
      total: 2,
      windows: [],
    });
    expect(memory.loaded(load({ items: { list: { kind: 'undefined' } } })).items).toMatchObject({ list: [], total: 0 });
    expect(memory.loaded(load({ items: { list: value('no list') } }))).toEqual({ values: {} });
  });
});

describe('a dry run', () => {
  it('shows conditions and skipped steps as a run does', async () => {
    const report = await run(
      `  - {name: no, ${KEEP}, condition: "1 > 2"}\n  - {name: yes, ${KEEP}, condition: "2 > 1"}\n`,
    );
    expect(report.steps).toMatchObject([
      { step: 'no', status: 'skipped', reason: 'condition', condition: { text: '1 > 2', result: false } },
      { step: 'yes', status: 'ok', condition: { text: '2 > 1', result: true } },
    ]);
    expect(report.steps[0]).not.toHaveProperty('inputs');
  });

  it('takes the sample of an item before that of its step', async () => {
    const steps = `  - {name: each, for_each: {items: [1, 2], as: n, steps: [{name: ask, step_type: tool, action: query_journal}]}}\n`;
    const report = await run(steps, { samples: { ask: { entries: ['any'] }, 'each[1]/ask': { entries: ['second'] } } });
    expect(report.steps.map(({ output }) => output)).toEqual([
      { entries: ['any'] },
      { entries: ['second'] },
      undefined,
    ]);
    expect(report.outputs).toMatchObject({ each: { results: [{ entries: ['any'] }, { entries: ['second'] }] } });
  });

  const routed = `  - name: way
    route:
      on: {action: llm_analyze, inputs: {data: x}, params: {instructions: Choose.}}
      routes:
        a: [{name: first, ${KEEP}}]
        b: [{name: second, ${KEEP}}]
`;
  it.each<[Json | undefined, string, string]>([
    [undefined, 'way/first ok', 'shape'],
    [{ label: 'b' }, 'way/second ok', 'sample'],
    ['b', 'way/second ok', 'sample'],
  ])('lets the model of a route choose by the sample %j', async (sample, taken, source) => {
    const report = await run(routed, sample === undefined ? {} : { samples: { way: sample } });
    const [router] = report.steps;
    expect(router).toMatchObject({ kind: 'route', action: 'llm_analyze', effect: 'none', source });
    expect(report.steps.map(({ step_path, status }) => `${step_path} ${status}`)).toContain(taken);
  });

  it('ends a research with its first answer', async () => {
    const steps = `  - {name: dig, step_type: llm_task, action: research_with_tools, inputs: {question: q}, params: {instructions: x, tools: [query_journal]}, output_schema: {fields: [{name: found, type: string}]}}\n`;
    expect((await run(steps)).outputs).toMatchObject({ dig: { found: 'sample found' } });
    expect((await run(steps, { samples: { dig: { found: 'gold' } } })).outputs).toMatchObject({
      dig: { found: 'gold' },
    });
  });

  it('takes the sample of a playbook that it does not enter, and makes up a run without one', async () => {
    const steps = '  - {name: sub, action: run_playbook, playbook: child, inputs: {company: Acme}}\n';
    const made = await run(steps);
    expect(made.steps[0]).toMatchObject({ output: { status: 'complete' }, source: 'shape', kind: 'run_playbook' });
    const given = await run(steps, { samples: { sub: { status: 'partial', outputs: { n: 1 } } } });
    expect(given.steps[0]).toMatchObject({ output: { status: 'partial', outputs: { n: 1 } }, source: 'sample' });
    expect(given.outputs).toMatchObject({ sub: { status: 'partial', outputs: { n: 1 } } });
  });

  it('says which destinations would receive nothing, and what it would write of them', async () => {
    const report = await run(
      `  - {name: n, ${KEEP}}\noutput:\n  summary: Done\n  sections: [{title: T, source: n}]\n  destinations:\n    - {type: file_export, format: csv, condition: "1 > 2"}\n    - {type: document, format: markdown}\n`,
    );
    expect(report.destinations).toMatchObject([
      { type: 'file_export', format: 'csv', skipped: expect.any(String) },
      { type: 'document', format: 'markdown' },
    ]);
    expect(report.destinations[1]).not.toHaveProperty('skipped');
    expect(report).toMatchObject({ summary: 'Done', status: 'complete', finished: true });
  });

  it('does not wait for the time of a gate to pass', async () => {
    const gate = `  - {name: g, step_type: approval, timeout_minutes: 5, on_timeout: stop}\n  - {name: n, ${KEEP}}\n`;
    expect(await run(gate)).toMatchObject({ status: 'complete', approvals: [{ step: 'g', decided_as: 'approved' }] });
  });

  it('shows a gate that the playbook approves by itself as such', async () => {
    const report = await run('  - {name: g, step_type: approval}\n', {}, 'approval_policy: auto_approve');
    expect(report.approvals).toMatchObject([{ step: 'g', decided_as: 'auto_approved' }]);
    expect(report).not.toHaveProperty('summary');
  });

  it('says why a step that is carried out fails', async () => {
    const grow =
      '  - {name: t, step_type: tool, action: transform_data, inputs: {data: [{a: 1}]}, operations: [{type: compute, as: b, expression: "{a} +"}]}\n';
    const plan = run(grow.replace('{a} +', '{a} / 0'));
    expect((await plan).steps[0]).toMatchObject({ step: 't', action: 'transform_data', effect: 'none', kind: 'tool' });
    const bad = await run(
      '  - {name: t, step_type: tool, action: transform_data, inputs: {data: [{a: x}]}, operations: [{type: aggregate, op: sum, field: a}]}\n',
    );
    expect(bad.steps[0]).toMatchObject({
      status: 'failed',
      error: { code: 'not_a_number', message: expect.stringContaining('`a`') },
    });
  });

  it('fails a step that cannot be rendered, and shows what ends the run for it', async () => {
    const report = await run(
      `  - {name: rows, step_type: tool, action: transform_data, inputs: {data: "{list}"}, operations: [{type: limit, count: 1}]}\n  - {name: keep, step_type: tool, action: save_to_workspace, inputs: {data: "{rows.data}"}, params: {table_name: t}}\n`,
      { inputs: { list: 'none' } },
      'inputs: [{name: list, type: any}]',
    );
    expect(report.steps[0]).toMatchObject({
      step: 'rows',
      status: 'failed',
      stops_for: 'keep',
      error: { code: expect.any(String) },
    });
    expect(report.status).toBe('failed');
    expect(report.code).toEqual(expect.any(String));
    expect(report.message).toEqual(expect.any(String));
  });

  it('knows the query', async () => {
    const report = await run(
      '  - {name: n, step_type: tool, action: write_journal_entry, inputs: {summary: "about {query}"}}\n',
      { query: 'gold' },
    );
    expect(report.steps[0]).toMatchObject({
      inputs: { summary: 'about gold' },
      action: 'write_journal_entry',
      effect: 'transactional',
    });
  });
});
