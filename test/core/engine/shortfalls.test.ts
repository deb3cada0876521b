import { describe, expect, it } from '@jest/globals';
import type { Json, JsonObject } from '../../../core/base/json';
import type { Shortfall } from '../../../core/engine/gaps';
import { distinct } from '../../../core/engine/shortfalls';
import { planOf, Simulator } from './simulator';

const READ = '  - {name: read, step_type: tool, action: call_connector, connector: irs, endpoint: parse';
const TRAITS = {
  call_connector: { short: false, pure: false, available: true, model: false },
  transform_data: { short: true, pure: true, available: true, model: false },
  gone: { short: false, pure: false, available: false, model: false },
  slow: { short: false, pure: false, available: true, model: false },
};
const BIG =
  '  - {name: big, step_type: tool, action: transform_data, inputs: {data: "{read.grants}"}, operations: [{type: sort, field: n}], on_error: skip}';
const ASK = '  - {name: ask, step_type: approval, preview_from: big.data, prompt: "Write {big.count} grants?"}';

function sim(steps: string[], more = '', inputs: JsonObject = {}): Simulator {
  return new Simulator(`id: g\nname: G\nsteps:\n${steps.join('\n')}\n${more}`, { traits: TRAITS, inputs });
}

const denied = { code: 'directory_not_allowed', message: 'The directory may not be read.' };
const files = (errors: number): JsonObject => ({
  results: [],
  count: 0,
  grants: [{ n: 1 }],
  files: [{ file: 'a.xml' }, { file: 'b.xml' }],
  errors: Array.from({ length: errors }, (_, at) => ({ file: `x${at}.xml`, code: 'invalid_xml' })),
  error_count: errors,
  warnings: [],
});

describe('a request says first what it rests on that is not there', () => {
  it('through steps: a transform over nothing of a failed read (grants-skip.yaml)', () => {
    const run = sim([`${READ}, on_error: skip}`, BIG, ASK]);
    run.fail('read', denied);
    expect(run.approvals[0]?.failures).toEqual([
      { step: 'read', kind: 'failed', code: 'directory_not_allowed', message: 'The directory may not be read.' },
      { step: 'big', kind: 'failed', code: 'missing_data', message: expect.any(String) as unknown as string },
    ]);
    const asked = run.events.find(({ type }) => type === 'approval.requested');
    expect(asked?.payload['failures']).toEqual(run.approvals[0]?.failures);
  });

  it('of the action behind the gate, of skipped steps, and nothing where all is there', () => {
    const send = '  - {name: send, step_type: tool, action: slow, inputs: {rows: "{big.data}"}}';
    const run = sim([`${READ}, on_error: skip}`, BIG, '  - {name: ask, step_type: approval, prompt: Send?}', send]);
    run.fail('read', denied);
    expect(run.approvals[0]?.failures?.map(({ step }) => step)).toEqual(['read', 'big']);

    const skipped = sim(
      [
        '  - {name: a, step_type: tool, action: slow, condition: "{n} > 1"}',
        '  - {name: b, step_type: tool, action: gone, optional: true}',
        '  - {name: ask, step_type: approval, prompt: "{a.v} {b.v}"}',
      ],
      'inputs: [{name: n, type: number, default: 1}]\n',
    );
    expect(skipped.approvals[0]?.failures).toEqual([
      {
        step: 'a',
        kind: 'skipped',
        code: 'condition_false',
        message: 'its condition is false: {n} > 1 ({n} is not there)',
      },
      { step: 'b', kind: 'skipped', code: 'not_available', message: 'its action is not available yet' },
    ]);

    const whole = sim([`${READ}}`, BIG, ASK]);
    whole.ok('read', { read: files(0) });
    expect(whole.approvals[0]).not.toHaveProperty('failures');
  });

  it.each([
    ['{n} > 5', 'its condition is false: {n} > 5 (the text "9" and the number 5 do not fit)'],
    [
      '{n} < 5 or {m} > 1',
      'its condition is false: {n} < 5 or {m} > 1 ({m} is not there, the text "9" and the number 5 do not fit)',
    ],
    ['abs({n}) > 5', 'its condition is false: abs({n}) > 5 (the text "9" cannot be used)'],
    ['{k} > 5', 'its condition is false: {k} > 5'],
    ['{k} > 5 and {n} > 5', 'its condition is false: {k} > 5 and {n} > 5'],
    [`{k} > 5 and "${'x'.repeat(400)}" == "y"`, `its condition is false: {k} > 5 and "${'x'.repeat(187)}…`],
  ])('a skip says why its condition is false: %s', (condition, message) => {
    const run = sim(
      [
        `  - {name: a, step_type: tool, action: slow, condition: '${condition}'}`,
        '  - {name: ask, step_type: approval, prompt: "{a.v}"}',
      ],
      'inputs: [{name: n, type: any, default: "9"}, {name: k, type: number, default: 2}, {name: m, type: number}]\n',
      { n: '9', k: 2 },
    );
    const skipped = run.events.find(({ type }) => type === 'step.skipped');
    expect(skipped?.payload).toMatchObject({ step: 'a', reason: 'condition', condition, message });
    expect(run.approvals[0]?.failures?.[0]?.message).toBe(message);
  });

  it('of a transform that left records out, or was asked for a field that is not there (grants.yaml)', () => {
    const step = (operations: string): string =>
      `  - {name: big, step_type: tool, action: transform_data, inputs: {data: "{rows}"}, operations: [${operations}]}`;
    const head = 'inputs: [{name: rows, type: list}]\n';
    const unknown = sim([step('{type: select, fields: [tax_year, tax_yeer]}'), ASK], head, { rows: [{ n: 1 }] });
    expect(unknown.approvals[0]?.failures).toEqual([
      {
        step: 'big',
        kind: 'incomplete',
        code: 'unknown_field',
        message: 'operation 1 (select): no record has a field `tax_year` (1 looked at). (and 1 more of the kind)',
      },
    ]);
    const finished = unknown.events.find(({ type, payload }) => type === 'step.finished' && payload['step'] === 'big');
    expect(finished?.payload['incomplete']).toHaveLength(1);
    unknown.decide('ask', 'approved');
    expect(unknown.finish?.status).toBe('complete');

    const dropped = sim([step('{type: filter, field: n, operator: gt, value: 1}'), ASK], head, {
      rows: [{ n: 2 }, { n: 'x' }],
    });
    dropped.decide('ask', 'approved');
    expect(dropped.finish?.status).toBe('partial');

    const handled = sim(
      [
        step('{type: filter, field: n, operator: gt, value: 1}'),
        '  - {name: ask, step_type: approval, prompt: "{big.warnings}"}',
      ],
      head,
      { rows: [{ n: 2 }, { n: 'x' }] },
    );
    handled.decide('ask', 'approved');
    expect(handled.finish?.status).toBe('complete');
  });

  it('of a route without a label and a loop that its ceiling ended: not there and null read differently', () => {
    const ask = '  - {name: ask, step_type: approval, prompt: "{way.label} {again.done}"}';
    const way = (on: string): string =>
      `  - {name: way, route: {on: "${on}", default: other, routes: {a: [{name: x, step_type: approval, prompt: A?}], other: [{name: y, step_type: tool, action: transform_data, inputs: {data: []}, operations: []}]}}}`;
    const again =
      '  - {name: again, loop: {until: "{last.good} == true AND {n} > 0", max_iterations: 2, steps: [{name: last, step_type: tool, action: transform_data, inputs: {data: [{}]}, operations: []}]}}';
    const head = 'inputs: [{name: box, type: object}, {name: n, type: number}]\n';
    const told = (on: string): string[] | undefined =>
      sim([way(on), again, ask], head, { box: { kind: null } }).approvals[0]?.failures?.map(
        (each) => `${each.code}: ${each.message}`,
      );
    const loop = 'not_done: after 2 turns `until` does not hold ({last.good} is not there, {n} is not there)';
    expect(told('{box.kind}')).toEqual([
      'no_label: `on` has no value ({box.kind} is null): the default route `other` was taken',
      loop,
    ]);
    expect(told('{box.kindd}')?.[0]).toContain('({box.kindd} is not there)');
    expect(told('b')).toEqual([loop]);
  });

  it('of a step whose condition counts on what is not there', () => {
    const run = sim(
      [
        '  - {name: a, step_type: tool, action: slow, condition: "{n} > 1"}',
        '  - {name: ask, step_type: approval, prompt: "{a.v}"}',
      ],
      'inputs: [{name: n, type: number}]\n',
    );
    expect(run.approvals[0]?.failures?.[0]?.message).toBe('its condition is false: {n} > 1 ({n} is not there)');
  });

  it('of the list of a map, in its items and in what is made of them', () => {
    const each =
      '  - {name: each, for_each: {items: "{read.grants}", as: g, steps: [{name: ask, step_type: approval, prompt: "{g.n}?"}, {name: work, step_type: tool, action: slow, inputs: {g: "{g.n}"}, on_error: skip}]}, on_error: skip}';
    const run = sim([
      `${READ}, on_error: skip}`,
      each,
      '  - {name: last, step_type: approval, prompt: "{each.count}"}',
    ]);
    run.ok('read', { read: files(1) });
    const unread = { step: 'read', kind: 'incomplete', code: 'not_read', message: '1 of 3 files not read' };
    expect(run.approvals[0]?.failures).toEqual([unread]);
    run.decide('each[0]/ask', 'approved');
    run.fail('each[0]/work');
    expect(run.approvals[1]?.failures).toEqual([
      unread,
      { step: 'each[0]/work', kind: 'failed', code: 'broken', message: 'It broke.' },
      { step: 'each', kind: 'incomplete', code: 'items_failed', message: '1 of 1 items failed' },
    ]);
  });

  it('of a playbook inside that ended partial', () => {
    const run = sim([
      '  - {name: sub, action: run_playbook, playbook: inner}',
      '  - {name: ask, step_type: approval, prompt: "{sub.summary}"}',
    ]);
    const [child] = run.of('child');
    run.send({
      type: 'child_closed',
      id: child?.id ?? '',
      status: 'partial',
      output: { value: { status: 'partial' } },
    });
    expect(run.approvals[0]?.failures).toEqual([
      { step: 'sub', kind: 'incomplete', code: 'child_partial', message: 'the playbook inner ended partial' },
    ]);
  });
});

it('the output is told how the run stands, who decided, and what each section lacks (grants-skip.yaml)', () => {
  const run = sim(
    [`${READ}, on_error: skip}`, BIG, ASK],
    'output: {summary: "{big.count} grants.", sections: [{title: Grants, source: big.data}, {title: Answer, source: ask.decision}], destinations: [{type: document}]}\n',
  );
  run.fail('read', denied);
  run.decide('ask', 'approved', { instructions: 'Go {on}.', at: '2025-12-31T23:00:00.000Z' });
  const settings = run.run('$output').units[0]?.edits?.['$settings'] as { facts: Json };
  const lines = [
    'read failed: directory_not_allowed (The directory may not be read.)',
    expect.stringMatching(/^big failed: missing_data/) as unknown as string,
  ];
  expect(settings.facts).toEqual({
    status: 'partial',
    decisions: [
      { step: 'ask', decision: 'approved', by: 'ann', at: '2025-12-31T23:00:00.000Z', instructions: 'Go {on}.' },
    ],
    missing: lines,
    sections: [lines, lines],
    summary: lines,
  });
});

describe('a failure ends the run where a gate or an effect rests on the result', () => {
  const rules = (steps: string[]): string[] =>
    planOf(`id: g\nname: G\nsteps:\n${steps.join('\n')}\n`).steps.map(
      (step) => `${step.name} ${step.on_error}${step.stops_for === undefined ? '' : ` for ${step.stops_for}`}`,
    );
  const pure = (name: string, from: string, more = ''): string =>
    `  - {name: ${name}, step_type: tool, action: transform_data, inputs: {data: "{${from}}"}, operations: [{type: sort, field: n}]${more}}`;

  it('through whatever steps the data takes, and not elsewhere', () => {
    expect(
      rules([
        pure('a', 'today'),
        pure('b', 'a.data'),
        pure('aside', 'a.data'),
        '  - {name: ask, step_type: approval, prompt: "{b.count}"}',
        pure('after', 'b.data'),
      ]),
    ).toEqual(['a stop for ask', 'b stop for ask', 'aside skip', 'ask skip', 'after skip']);
  });

  it('where it is read by an effect, by its condition, or by the list around it', () => {
    expect(
      rules([
        pure('a', 'today'),
        pure('b', 'today'),
        pure('c', 'today'),
        '  - {name: save, step_type: tool, action: save_to_workspace, params: {table_name: t}, inputs: {data: "{a.data}"}, condition: "{b.count} > 1"}',
        '  - {name: each, for_each: {items: "{c.data}", as: row, steps: [{name: put, step_type: tool, action: save_to_workspace, params: {table_name: t}, inputs: {data: ["{row}"]}}]}}',
      ]),
    ).toEqual(['a stop for save', 'b stop for save', 'c stop for put', 'save skip', 'each skip']);
  });

  it('not against what is written, and not where the playbook looks at the failure itself', () => {
    expect(
      rules([
        pure('a', 'today', ', on_error: skip'),
        pure('b', 'today'),
        pure('c', 'today'),
        '  - {name: ask, step_type: approval, prompt: "{a.count} {b.count} {b.status} {c.count} {c.error.code}"}',
      ]),
    ).toEqual(['a skip', 'b skip', 'c skip', 'ask skip']);
  });

  it('and the run says for whom', () => {
    const run = sim([`${READ}}`, BIG, ASK]);
    run.fail('read', denied);
    expect(run.finish).toMatchObject({
      status: 'failed',
      code: 'directory_not_allowed',
      message: 'Step read: The directory may not be read. The run stops here because `ask` rests on it.',
    });
    expect(run.approvals).toEqual([]);
  });
});

it('what lacks is told once each, twenty at most', () => {
  const of = (step: number, code: string, message = ''): Shortfall => ({
    step: `s${step}`,
    kind: 'failed',
    code,
    message,
  });
  expect(distinct([of(1, 'a', 'first'), of(1, 'b'), of(2, 'a'), of(1, 'a', 'second')])).toEqual([
    of(1, 'a', 'first'),
    of(1, 'b'),
    of(2, 'a'),
  ]);
  const many = Array.from({ length: 25 }, (_, at) => of(at, 'a'));
  expect(distinct(many)).toEqual(many.slice(0, 20));
});
