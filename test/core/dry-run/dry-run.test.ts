import { describe, expect, it } from '@jest/globals';
import type { DryReport, LiveRead } from '../../../core/dry-run/types';
import { dryRunOf } from './support';

const paths = ({ steps }: DryReport): string[] => steps.map((step) => `${step.step_path} ${step.status}`);

const FILINGS = `
id: test
inputs:
  - {name: company, type: entity_name, required: true}
steps:
  - name: pull
    step_type: tool
    action: call_connector
    connector: irs
    endpoint: filings
    inputs: {ein: "{company}", since: "{today}"}
  - name: large
    step_type: tool
    action: transform_data
    inputs: {data: "{pull.results}"}
    operations: [{type: filter, field: revenue, operator: gt, value: 10}]
  - name: check
    step_type: approval
    prompt: "File {large.count} of {company}?"
    preview_from: large.data
    timeout_minutes: 60
    on_reject: stop
    on_timeout: skip
  - name: submit
    step_type: tool
    action: call_connector
    connector: irs
    endpoint: submit
    condition: "{check.decision} == 'approved'"
    inputs: {note: "{large.count} filings"}
`;
const INPUTS = { company: 'Acme' };
const SAMPLES = {
  pull: {
    results: [
      { ein: '1', revenue: 5 },
      { ein: '2', revenue: 50 },
    ],
    count: 2,
  },
};

describe('dryRun', () => {
  it('shows what each step would be called with, and what it would do outside', async () => {
    const report = await dryRunOf(FILINGS, { inputs: INPUTS, samples: SAMPLES });
    expect(report).toMatchObject({ status: 'complete', finished: true });
    expect(paths(report)).toEqual(['pull ok', 'large ok', 'check ok', 'submit ok']);
    expect(report.steps[0]).toMatchObject({
      inputs: { ein: 'Acme', since: '2026-11-28' },
      effect: 'none',
      source: 'sample',
    });
    expect(report.steps[1]).toMatchObject({
      source: 'computed',
      output: { count: 1, data: [{ ein: '2', revenue: 50 }] },
    });
    expect(report.steps[3]).toMatchObject({
      inputs: { note: '1 filings' },
      effect: 'unsafe',
      condition: { text: "{check.decision} == 'approved'", result: true },
    });
    expect(report.approvals).toMatchObject([
      { step: 'check', prompt: 'File 1 of Acme?', preview: [{ ein: '2', revenue: 50 }], decided_as: 'approved' },
    ]);
    expect(report.approvals[0]?.action).toMatchObject({ step: 'submit', inputs: { note: '1 filings' } });
  });

  it('makes results up from what is known of them', async () => {
    const report = await dryRunOf(FILINGS, { inputs: INPUTS });
    expect(report.steps[0]).toMatchObject({
      source: 'shape',
      output: { results: [{ ein: 'sample ein', revenue: 1, officers: [{ name: 'sample name' }] }], count: 1 },
    });
    expect(report.status).toBe('complete');
  });

  it.each([
    ['rejected', { status: 'rejected', code: 'approval_rejected' }, ['pull ok', 'large ok', 'check ok']],
    ['timed_out', { status: 'complete' }, ['pull ok', 'large ok', 'check ok', 'submit skipped']],
  ] as const)('goes the way of a gate that is %s', async (decision, end, steps) => {
    const report = await dryRunOf(FILINGS, { inputs: INPUTS, samples: SAMPLES, decisions: { check: decision } });
    expect(report).toMatchObject({ ...end, approvals: [{ decided_as: decision }] });
    expect(paths(report)).toEqual(steps);
  });

  it('takes every item, every branch of a parallel step, and one route', async () => {
    const report = await dryRunOf(`
id: test
steps:
  - name: each
    for_each: {items: [1, 2], as: n, steps: [{name: keep, step_type: tool, action: write_journal_entry, inputs: {summary: "{n}"}}]}
  - name: way
    route:
      on: "b"
      routes:
        a: [{name: first, step_type: tool, action: write_journal_entry, inputs: {summary: a}}]
        b: [{name: second, step_type: tool, action: write_journal_entry, inputs: {summary: b}}]
`);
    expect(paths(report)).toEqual(['each[0]/keep ok', 'each[1]/keep ok', 'each ok', 'way/second ok', 'way ok']);
    expect(report.steps[0]).toMatchObject({ inputs: { summary: 1 }, effect: 'transactional' });
  });

  it('ends a loop that never meets its condition', async () => {
    const loop = (most: number): string => `
id: test
steps:
  - name: again
    loop: {until: "false", max_iterations: ${most}, steps: [{name: keep, step_type: tool, action: write_journal_entry, inputs: {summary: x}}]}
`;
    expect(await dryRunOf(loop(3))).toMatchObject({ finished: true, status: 'complete' });
  });

  it('fails a step that could not work, and goes on as a run would', async () => {
    const report = await dryRunOf(
      `
id: test
inputs: [{name: rows, type: any}]
steps:
  - name: sort
    step_type: tool
    action: transform_data
    inputs: {data: "{rows}"}
    operations: [{type: sort, field: a}]
`,
      { inputs: { rows: 'no list' } },
    );
    expect(report).toMatchObject({
      status: 'partial',
      steps: [{ step: 'sort', status: 'failed', error: { code: expect.any(String) } }],
    });
  });

  it('does not enter a playbook inside, and names where the output would go', async () => {
    const report = await dryRunOf(`
id: test
steps:
  - name: sub
    action: run_playbook
    playbook: child
    inputs: {company: Acme}
output:
  sections: [{title: Sub, source: sub.status}]
  save_to: document
  destinations: [{type: file_export, format: csv}]
`);
    expect(report).toMatchObject({
      status: 'complete',
      steps: [{ step: 'sub', kind: 'run_playbook', action: 'child', inputs: { company: 'Acme' }, effect: 'unsafe' }],
      destinations: [{ type: 'document' }, { type: 'file_export', format: 'csv' }],
    });
  });

  it('gives a playbook inside the result of its name or of one item', async () => {
    const report = await dryRunOf(
      `
id: test
steps:
  - name: each
    for_each: {items: [1, 2], as: n, steps: [{name: sub, action: run_playbook, playbook: child, inputs: {company: Acme}}]}
`,
      { samples: { sub: { status: 'complete' }, 'each[1]/sub': { status: 'partial' } } },
    );
    expect(report.steps.slice(0, 2)).toMatchObject([
      { source: 'sample', output: { status: 'complete' } },
      { source: 'sample', output: { status: 'partial' } },
    ]);
  });

  it('asks a source only where that reads and nobody gave a sample', async () => {
    const asked: string[] = [];
    const live: LiveRead = ({ connector, endpoint, inputs }) => {
      asked.push(`${connector}.${endpoint} ${JSON.stringify(inputs)}`);
      return Promise.resolve({ ok: true, output: { results: [{ ein: '9', revenue: 90 }], count: 1 } });
    };
    const report = await dryRunOf(FILINGS, { inputs: INPUTS }, live);
    expect(asked).toEqual(['irs.filings {"ein":"Acme","since":"2026-11-28"}']);
    expect(report.steps).toMatchObject([
      { source: 'live' },
      { output: { count: 1 } },
      {},
      { step: 'submit', source: 'shape' },
    ]);
    expect(report.steps.map(({ not_live: why }) => why)).toEqual([
      undefined,
      undefined,
      undefined,
      expect.stringMatching(/has an effect, or may have one$|only calls of connectors/),
    ]);
    const sampled = await dryRunOf(FILINGS, { inputs: INPUTS, samples: SAMPLES }, live);
    expect(asked).toHaveLength(1);
    expect(sampled.steps[0]).toMatchObject({ source: 'sample', not_live: 'a result was given for it' });
    const failing = await dryRunOf(FILINGS, { inputs: INPUTS }, () =>
      Promise.resolve({ ok: false, error: { code: 'upstream_unavailable', message: 'It is away.' } }),
    );
    expect(failing.steps[0]).toMatchObject({ status: 'failed', error: { code: 'upstream_unavailable' } });
  });
});
