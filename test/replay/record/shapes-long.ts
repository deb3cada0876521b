import { LOCAL_USER_ID } from '../../../core/base/run-status';
import { begin, eventually, expectStatus, gated, hold, plain, type Shape } from './shape';

/** Short steps that travel together, one of which fails. */
const SIDE_BY_SIDE = Array.from({ length: 24 }, (_each, at) => {
  const inputs = at === 8 ? '{summary: ""}' : `{summary: "entry ${at}"}`;
  return `      - {name: j${at}, step_type: tool, action: write_journal_entry, inputs: ${inputs}, on_error: skip}`;
}).join('\n');

/** A document of 60 KB through ten pure steps that add a field each: outputs that hold it ten times. */
const document = { id: 1, records: Array.from({ length: 600 }, (_each, no) => ({ no, text: `${no} `.repeat(20) })) };
const through = (steps: number): string =>
  Array.from({ length: steps }, (_each, at) => {
    const data = at === 0 ? '["{document}"]' : `"{s${at}.data}"`;
    const operations = `[{type: compute, as: f${at}, expression: "${at}"}]`;
    return `  - {name: s${at + 1}, step_type: tool, action: transform_data, inputs: {data: ${data}}, operations: ${operations}}`;
  }).join('\n');
/** The same through short steps, which travel together: they answer packed. */
const passedOn = Array.from({ length: 5 }, (_each, at) => {
  const from = at === 0 ? '{document}' : `{s${at}.document}`;
  return `  - {name: s${at + 1}, step_type: tool, action: add_field, inputs: {document: "${from}", field: f${at}}}`;
}).join('\n');
const DOCUMENT = 'inputs: [{name: document, type: object, required: true}]';

/** Shapes with large values in pure steps: computed in pieces, and stored with the end of the run. */
export const largeShapes: Shape[] = [
  plain('parallel-segments', `  - name: all\n    action: parallel\n    parallel_steps:\n${SIDE_BY_SIDE}`, {
    expect: 'partial',
  }),
  plain('packed-outcomes', passedOn, { head: DOCUMENT, inputs: { document } }),
  plain('stored-at-end', through(10), { head: DOCUMENT, inputs: { document } }),
  plain('local-turns', through(40), { head: DOCUMENT, inputs: { document } }),
  {
    name: 'child-stored-at-end',
    record: async ({ stack }) => {
      await stack.save(`id: large-child\nname: Large child\n${DOCUMENT}\nsteps:\n${through(10)}`);
      const steps = `  - {name: call, step_type: tool, action: run_playbook, playbook: large-child, inputs: {document: "{document}"}}`;
      const runId = await begin(stack, 'large-parent', steps, { head: DOCUMENT, inputs: { document } });
      expectStatus(await stack.done(runId), 'complete');
      const [child] = await stack.runs.children(LOCAL_USER_ID, runId);
      return { 'parent-stored-at-end': runId, 'child-stored-at-end': child?.id ?? '' };
    },
  },
];

/** Runs that continue in a new history on their way. */
const MANY = Array.from(
  { length: 14 },
  (_each, index) => `  - {name: s${index}, step_type: tool, action: echo, inputs: {v: ${index}}}`,
).join('\n');

export const longShapes: Shape[] = [
  plain('continued', MANY),
  gated(
    'continued-gate',
    `
  - name: both
    action: parallel
    parallel_steps:
      - {name: ask, step_type: approval, prompt: go, timeout_minutes: 60}
      - {name: turns, loop: {until: "{one.v} == 2", max_iterations: 14, steps: [{name: one, step_type: tool, action: echo, inputs: {v: 1}}]}}
  - {name: end, step_type: tool, action: echo, inputs: {said: "{ask.decision}"}}`,
    async (stack, runId) => {
      const approvalId = await stack.approval(runId);
      await eventually(async () =>
        (await stack.events(runId)).some(
          (event) => event.type === 'step.finished' && event.step_path?.endsWith('turns[13]/one'),
        ),
      );
      await stack.decide(runId, approvalId, 'approve');
    },
  ),
  {
    name: 'continued-cancelled',
    record: async ({ stack }) => {
      const runId = await begin(
        stack,
        'continued-cancelled',
        `${MANY}\n  - {name: ask, step_type: approval, prompt: go}`,
      );
      await stack.approval(runId);
      await hold(stack, runId, 'cancel');
      expectStatus(await stack.done(runId), 'cancelled');
      return { 'continued-cancelled': runId };
    },
  },
];
