import { LOCAL_USER_ID } from '../../../core/base/run-status';
import { ASKS_AGAIN } from '../../../core/playbook/retry-marks';
import type { RetryPlan } from '../../../core/playbook/retry-plan';
import { RunRetryStore } from '../../../infra/db/stores/run-retry.store';
import { StepsStore } from '../../../infra/db/stores/steps.store';
import type { InProcess } from '../../support/in-process';
import { begin, eventually, expectStatus, type Shape } from './shape';

/** Runs that go on where another one ended. */
const STEPS = `
  - {name: one, step_type: tool, action: echo, inputs: {v: 1}}
  - {name: ask, step_type: approval, prompt: go}
  - {name: two, step_type: tool, action: echo, inputs: {v: 2}}`;
const AGAIN: RetryPlan = {
  from: 'two',
  keep: ['one'],
  takenOver: [],
  presets: {},
  overrides: { two: { v: 3 } },
  renewed: ['two'],
  sharesKeys: false,
};

async function childOf(stack: InProcess, runId: string): Promise<string> {
  let found: string | undefined;
  await eventually(async () => (found = (await stack.runs.children(LOCAL_USER_ID, runId))[0]?.id) !== undefined);
  return found ?? '';
}

async function retried(
  stack: InProcess,
  name: string,
  steps: string,
  plan: RetryPlan,
  asks: (runId: string) => Promise<string> = (runId) => Promise.resolve(runId),
): Promise<string> {
  const first = await begin(stack, name, steps);
  const asking = await asks(first);
  await stack.decide(asking, await stack.approval(asking), 'approve', { instructions: 'yes' });
  expectStatus(await stack.done(first), 'complete');
  const again = crypto.randomUUID();
  const retries = new RunRetryStore(stack.database, new StepsStore(stack.database));
  await retries.create(LOCAL_USER_ID, first, { id: again }, plan);
  await stack.gateway.startRun(again);
  return again;
}

export const retries: Shape[] = [
  {
    name: 'retried-run',
    record: async ({ stack }) => {
      const presets = { ask: { decision: 'approved', instructions: 'yes', decided_by: 'local' } };
      const again = await retried(stack, 'retried-run', STEPS, { ...AGAIN, presets });
      expectStatus(await stack.done(again), 'complete');
      return { 'retried-run': again };
    },
  },
  {
    name: 'retried-edits',
    record: async ({ stack }) => {
      const steps = STEPS.replace(
        ': go}\n',
        ': go}\n  - {name: mid, step_type: tool, action: echo, inputs: {v: "{one.v}"}}\n',
      );
      const again = await retried(stack, 'retried-edits', steps, AGAIN);
      await stack.decide(again, await stack.approval(again), 'approve');
      expectStatus(await stack.done(again), 'complete');
      return { 'retried-edits': again };
    },
  },
  {
    name: 'retried-caller',
    record: async ({ stack }) => {
      await stack.save(`id: asks\nname: Asks\nsteps:\n  - {name: go, step_type: approval, prompt: go}\n`);
      const steps = STEPS.replace('step_type: approval, prompt: go', 'action: run_playbook, playbook: asks').replace(
        '{v: 2}',
        '{v: "{one.v} {ask.outputs.go.decision}"}',
      );
      const plan: RetryPlan = { ...AGAIN, presets: { ask: ASKS_AGAIN }, overrides: {} };
      const again = await retried(stack, 'retried-caller', steps, plan, (runId) => childOf(stack, runId));
      const child = await childOf(stack, again);
      await stack.decide(child, await stack.approval(child), 'approve');
      expectStatus(await stack.done(again), 'complete');
      return { 'retried-caller': again, 'retried-called': child };
    },
  },
];
