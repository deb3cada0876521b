import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '../../../core/base/json';
import { LOCAL_USER_ID } from '../../../core/base/run-status';
import type { RunRow } from '../../../infra/db/stores/run-types';
import type { InProcess } from '../../support/in-process';
import type { ModelServer } from '../../support/model-server';

interface Recorder {
  stack: InProcess;
  model: ModelServer;
}

/** A run whose history is kept. `record` carries it out and gives the ids of the runs to keep, under their names. */
export interface Shape {
  name: string;
  record(recorder: Recorder): Promise<{ [name: string]: string }>;
}

const QUICK_MS = 25;

export async function eventually(test: () => Promise<boolean>): Promise<void> {
  while (!(await test())) await sleep(QUICK_MS);
}

/** A run that needs nobody. */
export function plain(
  name: string,
  steps: string,
  more: { inputs?: JsonObject; head?: string; expect?: string } = {},
): Shape {
  return {
    name,
    record: async ({ stack }) => {
      const runId = await begin(stack, name, steps, more);
      expectStatus(await stack.done(runId), more.expect ?? 'complete');
      return { [name]: runId };
    },
  };
}

/** A run that waits for a person. */
export function gated(
  name: string,
  steps: string,
  act: (stack: InProcess, runId: string) => Promise<unknown>,
  expect = 'complete',
): Shape {
  return {
    name,
    record: async ({ stack }) => {
      const runId = await begin(stack, name, steps);
      await act(stack, runId);
      expectStatus(await stack.done(runId), expect);
      return { [name]: runId };
    },
  };
}

export async function begin(
  stack: InProcess,
  name: string,
  steps: string,
  more: { inputs?: JsonObject; head?: string } = {},
): Promise<string> {
  const slug = await stack.save(`id: ${name}\nname: ${name}\n${more.head ?? ''}\nsteps:\n${steps}`);
  return stack.start(slug, more.inputs ? { inputs: more.inputs } : {});
}

/** A shape that went another way than its name says is no use. */
export function expectStatus(row: RunRow, status: string): void {
  if (row.status !== status)
    throw new Error(`${row.playbook_slug}: ${row.status} (${row.status_message ?? ''}), expected ${status}`);
}

export async function hold(stack: InProcess, runId: string, control: 'pause' | 'cancel' | 'run'): Promise<void> {
  await stack.runs.setControl(LOCAL_USER_ID, runId, control);
  if (control === 'pause') await stack.gateway.pauseRun(runId);
  else if (control === 'cancel') await stack.gateway.cancelRun(runId);
  else await stack.gateway.resumeRun(runId);
}
