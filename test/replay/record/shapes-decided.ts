import { gated, type Shape } from './shape';

/** Gate followed by inline work only: the decision counts and the run ends in one transaction. */
const lastGate = (more: string): string => `
  - {name: before, step_type: tool, action: transform_data, inputs: {data: [{n: 1}]}, operations: [{type: compute, as: a, expression: "{n}"}]}
  - {name: ask, step_type: approval, prompt: "go with {before.count}"${more}}
  - {name: after, step_type: tool, action: transform_data, inputs: {data: "{before.data}"}, operations: [{type: compute, as: b, expression: "{n}"}]}`;

export const decidedShapes: Shape[] = [
  gated('decided-at-end', lastGate(', timeout_minutes: 600'), async (stack, runId) =>
    stack.decide(runId, await stack.approval(runId), 'approve', { instructions: 'fine' }),
  ),
  gated(
    'decided-at-end-refused',
    lastGate(', on_reject: stop'),
    async (stack, runId) => {
      const approvalId = await stack.approval(runId);
      const refused = await stack.decide(runId, approvalId, 'approve', { digest: 'another' });
      if (refused.state !== 'refused') throw new Error(`a decision about something else was ${refused.state}`);
      await stack.decide(runId, approvalId, 'reject');
    },
    'rejected',
  ),
];
