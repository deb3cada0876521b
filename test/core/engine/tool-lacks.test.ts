import { describe, expect, it } from '@jest/globals';
import type { Json, JsonObject } from '../../../core/base/json';
import type { StepError } from '../../../core/errors/app-error';
import { Simulator } from './simulator';

const YAML = `
id: s
name: S
steps:
  - {name: look, step_type: llm_task, action: research_with_tools, inputs: {question: q}, params: {tools: [irs.parse, slow], max_rounds: 5}, output_schema: {type: object, fields: [{name: v, type: string}]}, on_error: skip}
  - {name: ask, step_type: approval, prompt: "{look.v}"}
`;
const TRAITS = {
  call_connector: { short: false, pure: false, available: true, model: false },
  slow: { short: false, pure: false, available: true, model: false },
  research_model_call: { short: false, pure: false, available: true, model: true },
};

type Answer = Json | { error: Partial<StepError> } | { large: true };
interface Call {
  tool?: string;
  inputs?: JsonObject;
  error?: string;
  /** Absent: the call does not leave. */
  answer?: Answer;
}

/** Rounds of calls and what they bring; then the model has its answer. */
function research(rounds: Call[][], newer = true): Simulator {
  const run = new Simulator(YAML, { traits: TRAITS });
  run.newer = () => newer;
  rounds.forEach((calls, at) => {
    const model = `look/~model${at + 1}`;
    const tool_calls = calls.map(({ tool = 'irs.parse', inputs = {}, error }, n) => ({
      id: `c${n}`,
      tool,
      inputs,
      ...(error === undefined ? {} : { error }),
    }));
    run.ok(model, { [model]: { message: 'm', done: false, tool_calls } });
    calls.forEach(({ answer }, n) => {
      const path = `look/~tool${at + 1}.${n}`;
      if (answer === undefined) return;
      if (typeof answer === 'object' && answer !== null && 'error' in answer) run.fail(path, answer.error as StepError);
      else if (typeof answer === 'object' && answer !== null && 'large' in answer) {
        const output = { value: { results: null }, handles: { results: { parts: [], size: 100_000, count: 9 } } };
        run.send({ type: 'outcomes', id: run.run(path).id, outcomes: [{ path, status: 'ok', output }] });
      } else run.ok(path, { [path]: answer });
    });
  });
  const last = `look/~model${rounds.length + 1}`;
  run.ok(last, { [last]: { message: null, done: true, result: { v: 'x' } } });
  return run;
}

const denied = { error: { code: 'directory_not_allowed', message: 'No.', category: 'bad_request' as const } };
const whole = { results: [1], errors: [], truncated: false };
const unread = { results: [], files: [{}, {}, {}, {}, {}, {}], errors: [{}, {}] };
const cut = { results: [1], truncated: true, stopped_by: 'max_pages' };

function outcome(run: Simulator): [string | undefined, string[]] {
  const told = run.approvals[0]?.failures?.map(({ step, code, message }) => `${step} ${code} ${message}`) ?? [];
  const line = run.events.find(({ type, step_path }) => type === 'step.finished' && step_path === 'look');
  const incomplete = (line?.payload['incomplete'] ?? []) as JsonObject[];
  expect(incomplete.map(({ code, message }) => `look ${code as string} ${message as string}`)).toEqual(told);
  run.decide('ask', 'approved');
  return [run.finish?.status, told];
}

const DENIED = 'look tool_failed irs.parse: failed: directory_not_allowed (No.)';

describe('a research says what its tools did not give', () => {
  it.each<[string, Call[][], string, string[]]>([
    ['nothing where they gave all', [[{ answer: whole }]], 'complete', []],
    ['a call that failed', [[{ answer: denied }]], 'partial', [DENIED]],
    ['files that were not read', [[{ answer: unread }]], 'partial', ['look not_read irs.parse: 2 of 8 files not read']],
    [
      'parts that the model did not see',
      [[{ answer: { large: true } }]],
      'complete',
      ['look parts_left_out irs.parse: large parts of the answer were left out for the model'],
    ],
    [
      'pages that were not read, where the model did not ask for that',
      [[{ answer: cut }], [{ inputs: { max_pages: 1 }, answer: cut }]],
      'complete',
      [],
    ],
    [
      'a page without the next',
      [[{ answer: cut }]],
      'partial',
      ['look truncated irs.parse: there is more than was read (stopped by max_pages)'],
    ],
    ['nothing of a page that was followed by the last', [[{ answer: cut }], [{ answer: whole }]], 'complete', []],
    ['nothing of a failure that was repaired', [[{ answer: denied }], [{ answer: whole }]], 'complete', []],
    ['a failure beside a success of the same round', [[{ answer: denied }, { answer: whole }]], 'partial', [DENIED]],
    [
      'a failure that another tool follows',
      [[{ answer: denied }], [{ tool: 'slow', answer: {} }]],
      'partial',
      [DENIED],
    ],
    [
      'files that a later call does not bring',
      [[{ answer: unread }], [{ answer: whole }]],
      'partial',
      ['look not_read irs.parse: 2 of 8 files not read'],
    ],
    [
      'the same of two tools of both',
      [[{ answer: denied }, { tool: 'slow', answer: denied }]],
      'partial',
      [`${DENIED}; slow: failed: directory_not_allowed (No.)`],
    ],
    ['the same twice once', [[{ answer: denied }], [{ answer: denied }]], 'partial', [DENIED]],
    [
      "the model's own mistakes, which are no loss",
      [
        [
          { tool: 'evil' },
          { error: 'no JSON' },
          { answer: { error: { code: 'invalid_inputs', message: 'No.', category: 'validation' } } },
        ],
      ],
      'complete',
      [
        'look tool_failed evil: failed: tool_not_allowed (The step does not list the tool evil.); ' +
          'irs.parse: failed: invalid_tool_call (no JSON); irs.parse: failed: invalid_inputs (No.)',
      ],
    ],
    [
      'what is surely missing first, and how much more there is',
      [[{ tool: 'a' }, { tool: 'b' }, { tool: 'c' }, { answer: denied }, { tool: 'slow', answer: { warnings: [1] } }]],
      'partial',
      [
        'look tool_failed irs.parse: failed: directory_not_allowed (No.); a: failed: tool_not_allowed (The step does not ' +
          'list the tool a.); b: failed: tool_not_allowed (The step does not list the tool b.); and 1 more',
      ],
    ],
  ])('%s', (_what, rounds, status, told) => {
    const [ended, said] = outcome(research(rounds));
    expect([ended, said]).toEqual([status, told]);
  });

  it('not a run that knows the older rule', () => {
    const run = research([[{ answer: denied }]], false);
    expect(run.approvals[0]).not.toHaveProperty('failures');
    run.decide('ask', 'approved');
    expect(run.finish?.status).toBe('complete');
  });
});
