import { begin, eventually, expectStatus, gated, hold, plain, type Shape } from './shape';

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
