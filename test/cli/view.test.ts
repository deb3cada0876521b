import { describe, expect, it } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { readInputs } from '../../cli/inputs';
import { Api } from '../../cli/http/api';
import type { ServerEvent } from '../../cli/http/server-events';
import type { Approval, ApprovalSummary, Run } from '../../cli/http/types';
import { problemLine } from '../../cli/output';
import { runLines, reasonLines } from '../../cli/run-outcome';
import { approvalText } from '../../cli/view/approval-text';
import { runText } from '../../cli/view/run-text';
import { RunView } from '../../cli/view/run-view';
import { table } from '../../cli/view/table';
import { newFolder } from '../support/run-folder';

function event(name: string, data: Record<string, unknown>): ServerEvent {
  return { event: name, data };
}

const events = [
  event('run.status', { status: 'running' }),
  event('step.started', { step_path: 'read', action: 'call_connector' }),
  event('step.attempt_failed', { step_path: 'read', try_no: 1, error: { message: 'no answer' } }),
  event('step.finished', { step_path: 'read', status: 'ok', duration_ms: 1_234 }),
  event('step.finished', { step_path: 'ask', status: 'failed', duration_ms: 5, error: { message: 'gone' } }),
  event('step.skipped', { step_path: 'note', reason: 'condition_false' }),
  event('step.skipped', {
    step_path: 'big',
    reason: 'condition',
    message: 'its condition is false: {r.cnt} > 5 ({r.cnt} is not there)',
  }),
  event('step.waiting', { step_path: 'review', reason: 'approval' }),
  event('model.call', { step_path: 'review' }),
];

function shown(isTTY: boolean): string {
  const stream = new PassThrough() as unknown as NodeJS.WriteStream;
  stream.isTTY = isTTY;
  stream.columns = 40;
  const view = new RunView(stream);
  for (const each of events) view.take(each);
  return String((stream as unknown as PassThrough).read());
}

describe('the view of a run', () => {
  it('is one line for each change where there is no terminal', () => {
    expect(shown(false)).toBe(
      [
        '  run is running',
        '  read: running (call_connector)',
        '  read: running (try 1 failed: no answer)',
        '  read: ok (1.2 s)',
        '  ask: failed (gone)',
        '  note: skipped (condition_false)',
        '  big: skipped (its condition is false: {r.cnt} > 5 ({r.cnt} is not there))',
        '  review: waiting (waits for approval)',
        '',
      ].join('\n'),
    );
  });

  it('redraws itself on a terminal', () => {
    const text = shown(true);
    expect(text).toContain('\u001b[3A\u001b[J');
    expect(text.split('\n').at(-2)).toContain('? review');
  });
});

describe('what a run cost', () => {
  it.each([
    [null, 0, undefined],
    [0.75, 0, 'cost: $0.75'],
    [0.75, 1, 'cost: $0.75, not all: 1 model call without a known price'],
    [null, 2, 'cost: not known (2 model calls without a known price)'],
  ])('%s dollars, %s calls without a price: %s', (cost_usd, unpriced_calls, line) => {
    const usage = { input_tokens: 1, output_tokens: 1, cost_usd, unpriced_calls };
    const lines = runLines({ runId: 'r1', status: 'complete', usage } as Run).split('\n');
    expect(lines).toEqual(['run: r1', 'status: complete', ...(line === undefined ? [] : [line])]);
  });
});

describe('a run as it stands', () => {
  const since = '2026-01-01T00:00:00Z';
  it('says of each step how it ended and why, and how a wait goes on', () => {
    const run = {
      runId: 'r1',
      steps: [
        { step: 'read', step_path: 'read', status: 'ok', tries: 1, duration_ms: 20 },
        // Row with the error of its first attempt.
        { step: 'kept', step_path: 'kept', status: 'ok', tries: 0, copied_from: 'r0' },
        {
          step: 'again',
          step_path: 'again',
          status: 'ok',
          tries: 2,
          duration_ms: 30,
          error: { code: 'http_503', message: 'Later.' },
        },
        { step: 'ask', step_path: 'ask', status: 'failed', tries: 2, error: { code: 'gone', message: 'No answer.' } },
        { step: 'note', step_path: 'note', status: 'skipped', tries: 0, reason: 'condition_false' },
        {
          step: 'big',
          step_path: 'big',
          status: 'skipped',
          tries: 0,
          reason: 'condition',
          message: 'its condition is false: {n} > 5',
        },
      ],
      waits: [{ kind: 'attention', step_path: 'send[2]', since }],
      playbook: { slug: 'asks', name: 'Asks first', version_no: 3 },
    } as unknown as Run;
    const approvals = [
      { step_path: 'ask', status: 'approved', decided_by: 'ann', decided_at: since },
      { step_path: 'more', status: 'timed_out', decided_at: since },
      { step_path: 'open', status: 'waiting' },
    ] as ApprovalSummary[];
    expect(runText(run, approvals)).toEqual([
      'playbook: asks (Asks first), version 3',
      '  read: ok (20 ms)',
      '  kept: ok (taken over from r0)',
      '  again: ok (30 ms, after 2 tries)',
      '  ask: failed (after 2 tries): gone: No answer.',
      '  note: skipped (condition_false)',
      '  big: skipped (its condition is false: {n} > 5)',
      `decided at ask: approved by ann ${since}`,
      `decided at more: timed_out ${since}`,
      'waits for attention at send[2] since 2026-01-01T00:00:00Z',
      "  say what became of it: af resolve r1 'send[2]' done|not_done|repeat",
    ]);
    const ended = { ...run, message: 'Step ask: No answer.', waits: [] };
    expect(runText(ended, [])).toContain('  ask: failed (after 2 tries): gone');
    const children = [
      { runId: 'c1', status: 'complete', playbook: 'other', step_path: 'sub' },
      { runId: 'c2', status: 'needs_attention', playbook: 'kid', step_path: 'sub' },
    ];
    const parent = { ...run, steps: [], children, waits: [{ kind: 'child', step_path: 'sub', runId: 'c2', since }] };
    expect(runText(parent as unknown as Run, [])).toEqual([
      'playbook: asks (Asks first), version 3',
      `waits for child at sub since ${since}`,
      '  kid is needs_attention: af runs c2',
    ]);
  });
});

describe('why a run is no success', () => {
  const steps = [
    {
      step_path: 'both',
      status: 'ok',
      incomplete: [{ code: 'steps_failed', message: 'inside, both/a failed: gone (No.)' }],
    },
    { step_path: 'read', status: 'ok', incomplete: [{ code: 'not_read', message: '2 of 8 files not read' }] },
    { step_path: 'ask', status: 'failed', error: { code: 'gone', message: 'No answer.' } },
    { step_path: 'note', status: 'skipped', reason: 'not_available' },
    { step_path: 'meant', status: 'skipped', reason: 'condition' },
  ];
  const why = (status: string, message?: string): string[] => reasonLines({ status, message, steps } as unknown as Run);

  it('is said of each step once: what the message says is not said again', () => {
    expect(why('complete')).toEqual([]);
    expect(why('partial')).toEqual([
      '  both/a failed: gone (No.)',
      '  read: 2 of 8 files not read',
      '  ask failed: gone: No answer.',
      '  note was left out: not_available',
    ]);
    expect(
      why('partial', 'both/a failed: gone (No.); read: 2 of 8 files not read; ask failed: gone (No answer.)'),
    ).toEqual(['  note was left out: not_available']);
    expect(why('failed', 'Step ask: No answer.')).toContain('  ask failed: gone');
  });
});

describe('the approval request', () => {
  it('shows three ways to answer, ready to copy', () => {
    const approval: Approval = {
      approvalId: 'a1',
      step: 'review',
      on_reject: 'stop',
      on_timeout: 'skip',
      allowed_actions: ['approve', 'reject'],
      decisions: [],
      runId: 'r1',
      step_path: 'review',
      status: 'waiting',
      prompt: 'Write the report?',
      requested_at: '',
      preview: Array.from({ length: 12 }, (_, n) => ({ n })),
      digest: 'd'.repeat(64),
      rules: { quorum: 1, approvals: 0, four_eyes: false, link_only: false, approvers: [], unknown_approvers: [] },
      may_decide: true,
      history: [],
    };
    const text = approvalText(new Api('http://127.0.0.1:3000'), approval, {
      command: 'temporal',
      address: '127.0.0.1:7233',
    });
    expect(text).toContain('… 12 rows in all');
    expect(text).toContain('curl -X POST http://127.0.0.1:3000/api/agent-factory/approvals/a1/approve');
    expect(text).toContain(`npm run af -- approve a1 --digest ${approval.digest}`);
    expect(text).toContain('temporal workflow signal --address 127.0.0.1:7233 --workflow-id run-r1 --name approval');
    expect(approvalText(new Api('http://127.0.0.1:3000'), approval, { command: '/opt/bin/temporal-1' })).toContain(
      'Temporal  /opt/bin/temporal-1 workflow signal --workflow-id run-r1',
    );
    const body = /-d '([^']+)'/.exec(text)?.[1] ?? '';
    expect(JSON.parse(body)).toMatchObject({ digest: approval.digest });
    const foreign = { ...approval, may_decide: false, may_not_because: 'four_eyes' };
    const other = approvalText(new Api('http://127.0.0.1:3000'), foreign, { command: 'temporal' });
    expect(other).toContain(
      '\n  You may not decide it: neither whose run it is nor who edited last may. It waits for others.\n',
    );
    expect(other).not.toContain('three ways');
    const mine = { ...approval, may_decide: false, may_not_because: 'already_approved' };
    const [yes, no] = [[], ['reject']].map((actions) =>
      approvalText(
        new Api('http://127.0.0.1:3000'),
        { ...mine, allowed_actions: actions as never },
        { command: 'temporal' },
      ),
    );
    expect(yes).not.toContain('af reject');
    expect(no).toContain(`you may still reject it: af reject a1 --digest ${approval.digest}`);
    const over = { ...mine, allowed_actions: [], may_not_because: 'run_closed' };
    expect(approvalText(new Api('http://127.0.0.1:3000'), over, { command: 'temporal' })).toContain(
      'Nothing is left to decide: the run has ended, or is being cancelled.',
    );
    const edited = { ...approval, changes: [{ field: 'amount', before: 10, now: 10000, by: 'ben', at: '2026-11-29' }] };
    expect(approvalText(new Api('http://127.0.0.1:3000'), edited as never, { command: 'temporal' })).toMatch(
      /Approval wanted: .*\n  ! edited since: amount: 10 → 10,000, by ben at 2026-11-29\n/,
    );
    expect(text).toContain('\n  What lies behind it is not known here.\n');
    const behind = {
      ...approval,
      action: { step: 'send' },
      effects_behind: { steps: [{ step: 'send' }, { step: 'p' }] },
    };
    expect(approvalText(new Api('http://127.0.0.1:3000'), behind, { command: 'temporal' })).toContain(
      '\n  behind it: the call of send\n  Behind it also: p.\n',
    );
    expect(text).not.toContain('approvals that are needed');
    expect(text).not.toContain('approvers');
    const approvers = [
      { kind: 'user' as const, name: 'anna', source: 'named' as const },
      { kind: 'team' as const, name: 'desk', source: 'named' as const },
    ];
    const rules = { ...approval.rules, quorum: 2, approvals: 1, approvers, unknown_approvers: ['bert', 'old desk'] };
    const ruled = approvalText(new Api('http://127.0.0.1:3000'), { ...approval, rules }, { command: 'temporal' });
    expect(ruled).toContain(
      '\n  1 of the 2 approvals that are needed\n  approvers anna, team desk\n  ! Named as approvers',
    );
    expect(ruled).toContain('deactivated): bert, old desk\n');
  });
});

describe('inputs of a run', () => {
  it('are read as JSON where they are JSON; single ones win over the file', () => {
    const file = path.join(newFolder('inputs'), 'inputs.json');
    writeFileSync(file, '{"a": 1, "b": "kept"}');
    const input = ['a=2', 'list=["x"]', 'text=plain = text', '__proto__=5'];
    const inputs = readInputs({ inputs: file, input });
    expect(Object.entries(inputs)).toEqual([
      ['a', 2],
      ['b', 'kept'],
      ['list', ['x']],
      ['text', 'plain = text'],
      ['__proto__', 5],
    ]);
    expect(Object.getPrototypeOf(inputs)).toBe(Object.prototype);
  });

  it('24-trailing-zero.yaml: a number whose spelling would be lost is text, unless a number is declared', () => {
    const input = ['v=1.10', 'w=12e3', 'x=1.1', 'n=1.10', 'id=9007199254740993'];
    const inputs = readInputs({ input }, new Map([['n', 'number']]));
    expect(JSON.stringify(inputs)).toBe('{"v":"1.10","w":"12e3","x":1.1,"n":1.10,"id":9007199254740993}');
  });

  it.each([[['novalue']], [['=x']]])('refuses %j', (input) => {
    expect(() => readInputs({ input })).toThrow('--input wants name=value');
  });
});

describe('text for people', () => {
  it('aligns columns and places problems', () => {
    expect(
      table([
        ['a', 'bb', ''],
        ['ccc', 'd', 'e'],
      ]),
    ).toBe('a    bb\nccc  d   e');
    const problem = {
      code: 'unknown_reference',
      message: 'There is no step "x".',
      line: 3,
      column: 5,
      step: 's',
      suggestion: 'Did you mean "y"?',
    };
    expect(problemLine(problem)).toBe('  3:5 error unknown_reference: step s: There is no step "x". Did you mean "y"?');
  });
});
