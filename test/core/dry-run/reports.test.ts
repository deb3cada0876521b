import { describe, expect, it } from '@jest/globals';
import type { DryReport, DryRunRequest, DryStep } from '../../../core/dry-run/types';
import { dryRunOf, KEEP } from './support';

const ENTRY = { journal_entry_id: 'sample journal_entry_id', success: true };
const KEPT: Omit<DryStep, 'step' | 'step_path'> = {
  kind: 'tool',
  action: 'write_journal_entry',
  effect: 'transactional',
  status: 'ok',
  inputs: { summary: 'x' },
  params: {},
  output: ENTRY,
  source: 'shape',
};
const CHILD: DryStep = {
  step: 'sub',
  step_path: 'sub',
  kind: 'run_playbook',
  action: 'child',
  effect: 'unsafe',
  status: 'ok',
  inputs: { company: 'Acme' },
  output: { runId: '00000000-0000-0000-0000-000000000000', status: 'complete', summary: null, outputs: {} },
  source: 'shape',
};
const SUB = 'name: sub, action: run_playbook, playbook: child, inputs: {company: Acme}';
const GATE = { preview: null, preview_total: null, action: null };

function withInput(spec: string, steps: string): string {
  return `id: test\ninputs: [${spec}]\nsteps:\n${steps}`;
}
function eachOf(step: string, count: number, more: Partial<DryRunRequest> = {}, behind = ''): Promise<DryReport> {
  const items = Array.from({ length: count }, (_, at) => at);
  const steps = `  - {name: each, for_each: {items: "{items}", as: n, steps: [{${step}}]}}\n`;
  return dryRunOf(withInput('{name: items, type: list}', steps + behind), { ...more, inputs: { items } });
}

describe('the whole report of a dry run', () => {
  it('has a call with what it is given and gives, and nothing that a step does not have', async () => {
    expect(await dryRunOf(`  - {name: note, ${KEEP}}\n`)).toStrictEqual({
      status: 'complete',
      steps: [{ step: 'note', step_path: 'note', ...KEPT }],
      approvals: [],
      destinations: [],
      outputs: { note: ENTRY },
      finished: true,
    });
  });

  it('tells of gates, of what they rest on, and of the steps around others in the order in which they end', async () => {
    const steps = `  - {name: sort, retry_count: 2, on_error: skip, step_type: tool, action: transform_data, inputs: {data: "{rows}"}, operations: [{type: sort, field: a}]}
  - name: both
    parallel_steps:
      - {name: ask, step_type: approval, prompt: "{sort.count}?", timeout_minutes: 5}
      - {name: no, condition: "1 > 2", ${KEEP}}
  - {name: after, condition: "1 < 2", ${KEEP}}
`;
    const error = { code: 'invalid_data', message: '`data` is text: expected a list of records.' };
    expect(await dryRunOf(withInput('{name: rows, type: any}', steps), { inputs: { rows: 'no' } })).toStrictEqual({
      status: 'partial',
      message: `sort failed: invalid_data (${error.message})`,
      steps: [
        {
          step: 'sort',
          step_path: 'sort',
          kind: 'tool',
          action: 'transform_data',
          effect: 'none',
          status: 'failed',
          inputs: { data: 'no' },
          params: { operations: [{ type: 'sort', field: 'a' }] },
          error,
        },
        {
          step: 'no',
          step_path: 'both/no',
          kind: 'tool',
          status: 'skipped',
          reason: 'condition',
          message: 'its condition is false: 1 > 2',
          condition: { text: '1 > 2', result: false },
        },
        { step: 'ask', step_path: 'both/ask', kind: 'approval', status: 'ok' },
        { step: 'both', step_path: 'both', kind: 'parallel', status: 'ok' },
        { step: 'after', step_path: 'after', condition: { text: '1 < 2', result: true }, ...KEPT },
      ],
      approvals: [
        {
          step: 'ask',
          step_path: 'both/ask',
          prompt: '?',
          ...GATE,
          on_reject: 'stop',
          on_timeout: 'stop',
          decided_as: 'approved',
          failures: [{ step: 'sort', kind: 'failed', ...error }],
        },
      ],
      destinations: [],
      outputs: {
        ask: { decision: 'approved', decided_by: 'dry run' },
        both: { count: 2, failed_count: 0 },
        after: ENTRY,
      },
      finished: true,
    });
  });

  it('waits for a playbook that is called off, since a run does', async () => {
    const steps = `  - name: both\n    parallel_steps: [{name: ask, step_type: approval, prompt: "Go on?", on_reject: stop}, {${SUB}}]\n`;
    expect(await dryRunOf(steps, { decisions: { ask: 'rejected' } })).toStrictEqual({
      status: 'rejected',
      code: 'approval_rejected',
      message: 'dry run rejected both/ask.',
      steps: [
        { step: 'ask', step_path: 'both/ask', kind: 'approval', status: 'ok' },
        { ...CHILD, step_path: 'both/sub' },
        { step: 'both', step_path: 'both', kind: 'parallel', status: 'ok' },
      ],
      approvals: [
        {
          step: 'ask',
          step_path: 'both/ask',
          prompt: 'Go on?',
          ...GATE,
          on_reject: 'stop',
          on_timeout: 'skip',
          decided_as: 'rejected',
        },
      ],
      destinations: [],
      outputs: {
        ask: { decision: 'rejected', decided_by: 'dry run' },
        sub: CHILD.output,
        both: { count: 2, failed_count: 0 },
      },
      finished: true,
    });
  });

  it('ends a run at what ends it, and names destinations with what they are written as', async () => {
    const output =
      'output:\n  sections: [{title: T, source: note}]\n  destinations: [{type: file_export, format: csv}]\n';
    expect(await dryRunOf(`id: test\nsteps:\n  - {name: note, ${KEEP}}\n${output}`)).toStrictEqual({
      status: 'complete',
      steps: [{ step: 'note', step_path: 'note', ...KEPT }],
      approvals: [],
      destinations: [{ type: 'file_export', format: 'csv', config: {} }],
      outputs: { note: ENTRY },
      finished: true,
    });
  });
});

describe('the steps of a dry run', () => {
  it('have the condition and the error of a list that is not there', async () => {
    const steps = `  - {name: each, condition: "1 < 2", on_error: skip, for_each: {items: "{rows}", as: r, steps: [{name: keep, ${KEEP}}]}}\n`;
    const report = await dryRunOf(withInput('{name: rows, type: list}', steps));
    expect(report.steps).toStrictEqual([
      {
        step: 'each',
        step_path: 'each',
        kind: 'for_each',
        status: 'failed',
        condition: { text: '1 < 2', result: true },
        error: { code: 'missing_data', message: expect.stringContaining('for_each found no list in "items"') },
      },
    ]);
  });

  it('have the condition of a playbook inside', async () => {
    expect((await dryRunOf(`  - {${SUB}}\n`)).steps).toStrictEqual([CHILD]);
    const given = withInput('{name: who, type: string}', `  - {${SUB.replace('Acme', '"{who}"')}}\n`);
    expect((await dryRunOf(given, { inputs: { who: 'Ann' } })).steps).toStrictEqual([
      { ...CHILD, inputs: { company: 'Ann' } },
    ]);
    expect((await dryRunOf(`  - {${SUB}, condition: "1 < 2"}\n`)).steps).toStrictEqual([
      { ...CHILD, condition: { text: '1 < 2', result: true } },
    ]);
  });

  it('are skipped where nobody carries the action out', async () => {
    const { steps } = await dryRunOf(
      '  - {name: task, condition: "1 < 2", step_type: tool, action: create_todo, inputs: {title: x}}\n',
    );
    expect(steps).toStrictEqual([
      {
        step: 'task',
        step_path: 'task',
        kind: 'tool',
        status: 'skipped',
        reason: 'not_available',
        message: 'its action is not available yet',
        condition: { text: '1 < 2', result: true },
      },
    ]);
    const plain = await dryRunOf('  - {name: task, step_type: tool, action: create_todo, inputs: {title: x}}\n');
    expect(plain.steps).toStrictEqual([
      {
        step: 'task',
        step_path: 'task',
        kind: 'tool',
        status: 'skipped',
        reason: 'not_available',
        message: 'its action is not available yet',
      },
    ]);
  });

  it('are no calls of a source where they only name one', async () => {
    const steps =
      '  - {name: ask, step_type: tool, action: query_journal, params: {connector: irs, endpoint: filings}}\n';
    const { steps: done } = await dryRunOf(steps, {}, () => Promise.reject(new Error('it was asked')));
    expect(done).toMatchObject([{ step: 'ask', status: 'ok', source: 'shape' }]);
  });

  it('have a stand-in where the source is not asked, and the error of one that is', async () => {
    const steps = '  - {name: pull, step_type: tool, action: call_connector, connector: irs, endpoint: filings}\n';
    const call = {
      step: 'pull',
      step_path: 'pull',
      kind: 'tool',
      action: 'call_connector',
      effect: 'none',
      inputs: {},
      params: { connector: 'irs', endpoint: 'filings' },
    };
    const [stood] = (await dryRunOf(steps, {}, () => Promise.resolve({ notLive: 'enough was read' }))).steps;
    expect(stood).toMatchObject({
      ...call,
      status: 'ok',
      source: 'shape',
      not_live: 'enough was read',
      output: { count: 1 },
    });
    const error = { code: 'upstream_unavailable', message: 'It is away.' };
    const failed = await dryRunOf(steps, {}, () => Promise.resolve({ ok: false, error }));
    expect(failed.steps).toStrictEqual([{ ...call, status: 'failed', error }]);
    const output = { results: [], count: 0 };
    const read = await dryRunOf(steps, {}, () => Promise.resolve({ ok: true, output }));
    expect(read.steps).toStrictEqual([{ ...call, status: 'ok', output, source: 'live' }]);
  });

  it('fail where a text becomes too long, and so does the output', async () => {
    const long = '{t} '.repeat(33);
    const inputs = { t: 'x'.repeat(1 << 20) };
    const head = 'id: test\ninputs: [{name: t, type: string}]\nsteps:\n';
    const note = `  - {name: note, step_type: tool, action: write_journal_entry, inputs: {summary: "${long}"}}\n`;
    const failed = await dryRunOf(head + note, { inputs });
    const { inputs: _inputs, params: _params, output: _output, source: _source, ...shown } = KEPT;
    const error = { code: 'rendered_text_too_large', message: expect.stringContaining('would exceed 33554432') };
    expect(failed.steps).toStrictEqual([{ step: 'note', step_path: 'note', ...shown, status: 'failed', error }]);
    expect(failed.status).toBe('partial');
    const output = `output:\n  summary: "${long}"\n  sections: [{title: T, source: note}]\n  destinations: [{type: document, format: markdown}]\n`;
    const report = await dryRunOf(`${head}  - {name: note, ${KEEP}}\n${output}`, { inputs });
    expect(report).toMatchObject({ status: 'partial', destinations: [], finished: true });
    expect(report.message).toContain('1 of 1 destinations not written: output: rendered_text_too_large');
    expect(report).not.toHaveProperty('summary');
  });
});

describe('a dry run over many items', () => {
  it('takes a rest where a run would, and goes on', async () => {
    const report = await eachOf(`name: no, condition: "1 > 2", ${KEEP}`, 1_100);
    expect([report.finished, report.status, report.steps.length]).toEqual([true, 'complete', 1_101]);
  });

  it('puts large results aside and shows them in full', async () => {
    const entries = ['y'.repeat(10_000)];
    const report = await eachOf(
      'name: ask, step_type: tool, action: query_journal',
      30,
      { samples: { ask: { entries } } },
      `  - {name: after, condition: "{each.results[29].entries} is defined", ${KEEP}}\n`,
    );
    expect(report).toMatchObject({ finished: true, status: 'complete' });
    expect(report.outputs).toStrictEqual({
      each: { results: Array.from({ length: 30 }, () => ({ entries })), count: 30, failed_count: 0, errors: [] },
      after: ENTRY,
    });
  });

  it.each([
    ['steps', `name: keep, ${KEEP}`],
    ['playbooks', SUB],
  ])('ends after a thousand %s', async (_what, step) => {
    const report = await eachOf(step, 1_100);
    expect([report.finished, report.status, report.steps.length]).toEqual([false, 'running', 1_000]);
  });
});
