import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Json } from '../../core/base/json';
import { FULL, size } from '../support/fault-size';
import { outputOf, startInProcess, type InProcess } from '../support/in-process';
import { actions, commits, historyOf, MB } from './scale-fixture';

/** Limit of events in one history: the server warns above it. */
const MOST_EVENTS = 10_240;

let stack: InProcess;
beforeAll(async () => {
  stack = await startInProcess({ actions });
});
afterAll(() => stack?.close());

async function complete(yaml: string, inputs: { [name: string]: Json } = {}) {
  const runId = await stack.start(await stack.save(yaml), { inputs });
  const row = await stack.until(runId, (run) => run.finished_at !== null, 'the run');
  const history = await historyOf(stack, runId);
  expect(history.events).toBeLessThan(MOST_EVENTS);
  expect(history.largestTask).toBeLessThanOrEqual(50);
  return { runId, row, history };
}

describe('many and large', () => {
  it('parallel of 200 steps with 90 KB each', async () => {
    const steps = Array.from(
      { length: 200 },
      (_, at) => `      - {name: s${at}, step_type: tool, action: make, inputs: {kb: 90, index: ${at}}}`,
    ).join('\n');
    const { row, history } = await complete(`
id: wide
name: Wide
steps:
  - name: all
    action: parallel
    parallel_steps:
${steps}
  - {name: end, step_type: tool, action: query_journal, inputs: {n: "{all.count}", bad: "{all.failed_count}", first: "{s0.index}", last: "{s199.index}"}}
`);
    expect([row.status, outputOf(row, 'end')]).toEqual(['complete', { n: 200, bad: 0, first: 0, last: 199 }]);
    expect(history.bytes).toBeLessThan(MB);
    expect(history.activities).toBeGreaterThanOrEqual(201);
  });

  it('for_each of 1,000 items with 60 KB each', async () => {
    const { row, history } = await complete(
      `
id: heavy-map
name: Heavy map
inputs: [{name: items, type: list, required: true}]
steps:
  - name: each
    for_each: {items: "{items}", as: it, max_parallel: 20, steps: [{name: work, step_type: tool, action: make, inputs: {kb: 60, index: "{it}"}}]}
  - {name: end, step_type: tool, action: query_journal, inputs: {order: "{each.results[*].index}", n: "{each.count}"}}
`,
      { items: Array.from({ length: 1000 }, (_, at) => at) },
    );
    expect(row.status).toBe('complete');
    expect(outputOf(row, 'end')).toEqual({ n: 1000, order: Array.from({ length: 1000 }, (_, at) => at) });
    expect(history.bytes).toBeLessThan(4 * MB);
  });

  it('for_each over 10,000 items of a large list, short steps in common segments', async () => {
    const { row, history } = await complete(`
id: long-map
name: Long map
steps:
  - {name: source, step_type: tool, action: make_rows, inputs: {bytes: ${size(300_000, 1_000_000)}}}
  - name: each
    for_each: {items: "{source.rows}", as: it, max_parallel: 10, steps: [{name: work, step_type: tool, action: query_journal, inputs: {n: "{it.n}"}}]}
  - {name: end, step_type: tool, action: query_journal, inputs: {order: "{each.results[*].n}", n: "{each.count}"}}
`);
    const count = size(3_000, 10_000);
    expect(row.status).toBe('complete');
    expect(outputOf(row, 'end')).toEqual({ n: count, order: Array.from({ length: count }, (_, at) => at) });
    expect(history.activities).toBeLessThan(count / 10);
  });

  it('for_each over 10,000 items with pure steps, without an activity for any', async () => {
    const { row, history } = await complete(
      `
id: pure-map
name: Pure map
inputs: [{name: items, type: list, required: true}]
steps:
  - name: each
    for_each: {items: "{items}", as: it, max_parallel: 10, steps: [{name: work, step_type: tool, action: transform_data, inputs: {data: ["{it}"]}, operations: [{type: filter, field: n, operator: gte, value: 9990}]}]}
  - {name: end, step_type: tool, action: query_journal, inputs: {counts: "{each.results[*].count}"}}
`,
      { items: Array.from({ length: 10_000 }, (_, n) => ({ n })) },
    );
    expect(row.status).toBe('complete');
    const { counts } = outputOf(row, 'end') as { counts: number[] };
    expect([counts.length, counts.reduce((sum, count) => sum + count, 0), counts.at(-1)]).toEqual([10_000, 10, 1]);
    expect(history.activities).toBeLessThan(20);
  });

  it('a document of 10 MB through ten steps is stored once and leaves the history small', async () => {
    const steps = Array.from(
      { length: 10 },
      (_, at) => `  - {name: s${at + 1}, step_type: tool, action: pass, inputs: {text: "{s${at}.text}"}}`,
    ).join('\n');
    const { row, history } = await complete(
      `id: document\nname: Document\nsteps:\n  - {name: s0, step_type: tool, action: make, inputs: {kb: 10240}}\n${steps}\n`,
    );
    expect(row.status).toBe('complete');
    expect(row.result?.['s10']?.handles?.['text']?.size).toBe(10_240 * 1024 + 2);
    expect(row.result?.['s10']?.handles?.['text']).toMatchObject({ parts: [expect.anything()] });
    expect(row.result?.['s10']?.handles?.['text']).toEqual(row.result?.['s0']?.handles?.['text']);
    expect(history.events).toBeLessThan(120);
    expect(history.bytes).toBeLessThan(100_000);
  });
});

describe('rows through all transforms', () => {
  const bytes = size(12, 50) * MB;
  const OPERATIONS = [
    '{type: filter, field: amount, operator: gte, value: 0}',
    '{type: sort, field: amount, order: desc}',
    '{type: compute, as: twice, expression: "{amount} * 2"}',
    '{type: rename, fields: {name: title}}',
    '{type: select, fields: [n, group, amount, twice, title]}',
    '{type: deduplicate, fields: [n]}',
    '{type: limit, count: 100000000}',
  ];

  it('hold up nobody: a decision on another run counts meanwhile', async () => {
    const asking = await stack.save(
      'id: asking\nname: Asking\nsteps:\n  - {name: ask, step_type: approval, prompt: go}\n',
    );
    const asked: { runId: string; approvalId: string }[] = [];
    while (asked.length < OPERATIONS.length) {
      const runId = await stack.start(asking);
      asked.push({ runId, approvalId: await stack.approval(runId) });
    }
    const steps = OPERATIONS.map(
      (operation, at) =>
        `  - {name: t${at + 1}, step_type: tool, action: transform_data, inputs: {data: "{t${at}.${at === 0 ? 'rows' : 'data'}}"}, operations: [${operation}]}`,
    ).join('\n');
    const total = `  - {name: total, step_type: tool, action: transform_data, inputs: {data: "{t${OPERATIONS.length}.data}"}, operations: [{type: aggregate, group_by: [group], metrics: [{op: count, as: rows}, {op: sum, field: amount, as: sum}, {op: avg, field: twice, as: mean}, {op: min, field: amount, as: least}, {op: max, field: amount, as: most}]}]}\n`;
    const runId = await stack.start(
      await stack.save(
        `id: rows\nname: Rows\nsteps:\n  - {name: t0, step_type: tool, action: make_rows, inputs: {bytes: ${bytes}}}\n${steps}\n${total}`,
      ),
    );
    const finished = async (): Promise<string[]> =>
      (await stack.events(runId))
        .filter((event) => event.type === 'step.finished')
        .map((event) => event.step_path ?? '');
    await stack.until(runId, (run) => run.status !== 'pending', 'the rows');
    const untilFinished = async (step: string): Promise<void> => {
      while (!(await finished()).includes(step)) await new Promise((next) => setTimeout(next, 20));
    };
    /** Decisions that were asked for and counted while one and the same transform worked. */
    let within = 0;
    for (const [at, { runId: other, approvalId }] of (FULL ? asked : asked.slice(0, 1)).entries()) {
      await untilFinished(`t${at + 1}`);
      const before = await finished();
      expect(await stack.decide(other, approvalId, 'approve')).toEqual({ state: 'counted' });
      const after = await finished();
      if (!after.includes('total') && after.length === before.length) within += 1;
      if (at === 0) expect(after).not.toContain('total');
    }
    if (FULL) expect(within).toBeGreaterThan(0);
    const row = await stack.done(runId);
    expect({ status: row.status, code: row.status_code }).toEqual({ status: 'complete', code: null });
    const { data } = outputOf(row, 'total') as { data: { rows: number }[] };
    expect(data.reduce((sum, group) => sum + group.rows, 0)).toBe(Math.ceil(bytes / 100));
    expect((await historyOf(stack, runId)).bytes).toBeLessThan(MB);
  });
});

describe('a value that is too large', () => {
  it('is an error of its step, with name and size, and is not tried again', async () => {
    const { row, runId } = await complete(`
id: huge
name: Huge
steps:
  - {name: big, step_type: tool, action: make, retry_count: 2, inputs: {kb: ${70 * 1024}}}
  - {name: end, step_type: tool, action: query_journal, inputs: {code: "{big.error.code}", message: "{big.error.message}"}}
`);
    expect(row.status).toBe('partial');
    expect(outputOf(row, 'end')).toEqual({
      code: 'payload_too_large',
      message: expect.stringMatching(/^Step big: One value may have at most 64 MB of JSON; this one has 70\.0 MB\./),
    });
    expect((await stack.events(runId)).filter((event) => event.type === 'step.attempt_failed')).toHaveLength(1);
  });
});

describe('what a step costs', () => {
  it('prints events of the server and transactions of the database', async () => {
    const W1: [string, (at: number) => string][] = [
      [
        'pure',
        (at) =>
          `  - {name: s${at}, step_type: tool, action: transform_data, inputs: {data: [{n: ${at}}]}, operations: [{type: limit, count: 1}]}`,
      ],
      ['segment', (at) => `  - {name: s${at}, step_type: tool, action: query_journal, inputs: {n: ${at}}}`],
      ['one activity a step', (at) => `  - {name: s${at}, step_type: tool, action: pass, inputs: {text: ${at}}}`],
    ];
    for (const [name, step] of W1) {
      const before = await commits(stack);
      const { history, row } = await complete(
        `id: w1\nname: W1\nsteps:\n${Array.from({ length: 50 }, (_, at) => step(at)).join('\n')}\n`,
      );
      const after = await commits(stack);
      expect(row.status).toBe('complete');
      process.stdout.write(
        `${name}: ${(history.events / 50).toFixed(2)} events and about ${((after - before) / 50).toFixed(2)} transactions a step\n`,
      );
    }
  });
});
