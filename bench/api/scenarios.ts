import { setTimeout as sleep } from 'node:timers/promises';
import type { Scenario } from '../scenario';
import type { Size } from '../scenarios';
import { mustEqual, smallDocument } from '../documents';
import { w2 } from '../product/playbooks';
import type { Stack } from '../stack';
import { waitingBare } from '../waiting';
import { BARE_START, LIVE, LISTS_SCENARIO, LIVE_SCENARIO, START_SCENARIO } from './floors';
import { ask, LISTS, noQuestions, readDetails, readList } from './lists';
import { insertRows } from './rows';

const CALLERS = 20;
const STARTS = 400;
const READS = 300;
const LIVES = 2_000;
/** Runs at a gate, for the lists and details of open requests. */
const WAITING = 120;
/** Slug of the playbook of the inserted runs, and of those at the gate. */
const SLUG = 'bench-rows';
const LOOK_MS = 50;
const GATE_MS = 120_000;

/** Scenarios of the API alone: the time that a client waits, compared with the same client's bare request to the same process. */
export function apiScenarios(stack: Stack, size: Size): Scenario[] {
  const some = (count: number): number => Math.max(CALLERS, Math.round(count * size.scale));
  return [startScenario(stack, some(STARTS)), listsScenario(stack, some(READS)), liveScenario(stack, some(LIVES))];
}

function startScenario(stack: Stack, count: number): Scenario {
  const started: string[] = [];
  const run = async (no: number): Promise<void> => {
    started.push(await startAtGate(stack, 'w2', no));
  };
  // The worker finishes its runs first, so that the next measurement finds it idle.
  const after = (): Promise<void> => atGate(stack, started.splice(0));
  const bare = async (no: number): Promise<void> => {
    await waitingBare(stack, 'signal', no);
  };
  return {
    name: START_SCENARIO,
    implementations: [
      { name: 'POST /runs', callers: CALLERS, count, run, after },
      { name: BARE_START, callers: CALLERS, count, run: bare },
    ],
  };
}

/** Starts a run; the answer must be a new run that has not begun. */
async function startAtGate({ product }: Stack, playbook: string, no: number): Promise<string> {
  const { status, body } = await product.request('POST', '/runs', {
    playbook,
    inputs: { document: smallDocument(no) },
  });
  mustEqual([status, body['status']], [201, 'pending'], 'POST /runs');
  return body['runId'] as string;
}

/** Waits until all of them ask for an approval. */
async function atGate({ product }: Stack, runIds: string[]): Promise<void> {
  const until = performance.now() + GATE_MS;
  for (const runId of new Set(runIds)) {
    while ((await product.run(runId)).status !== 'waiting_approval') {
      if (performance.now() > until) throw new Error(`run ${runId} has not come to its gate in time`);
      await sleep(LOOK_MS);
    }
  }
}

function listsScenario(stack: Stack, count: number): Scenario {
  const { product } = stack;
  const questions = noQuestions();
  const common = { callers: CALLERS, count };
  const details = [
    ['GET /runs/{runId}, over', 'runs'],
    ['GET /runs/{runId}, waiting', 'waitingRuns'],
    ['GET /approvals/{approvalId}, decided', 'approvals'],
    ['GET /approvals/{approvalId}, waiting', 'waitingApprovals'],
  ] as const;
  return {
    name: LISTS_SCENARIO,
    prepare: async () => {
      await product.save({ ...w2(), id: SLUG });
      const rows = await insertRows(stack.databaseUrl, await ownerId(stack), SLUG);
      const waitingRuns: string[] = [];
      for (let no = 0; no < WAITING; no++) waitingRuns.push(await startAtGate(stack, SLUG, no));
      await atGate(stack, waitingRuns);
      await ask(product, questions, { rows, slug: SLUG, waitingRuns });
    },
    implementations: [
      ...LISTS.map((name) => ({ ...common, name, run: readList(product, questions, name) })),
      ...details.map(([name, of]) => ({ ...common, name, run: readDetails(product, questions, of) })),
    ],
  };
}

async function ownerId({ product }: Stack): Promise<string> {
  const { status, body } = await product.request('GET', '/users/me');
  mustEqual(status, 200, 'GET /users/me');
  return body['id'] as string;
}

function liveScenario({ product }: Stack, count: number): Scenario {
  return {
    name: LIVE_SCENARIO,
    implementations: [
      {
        name: LIVE,
        callers: CALLERS,
        count,
        run: async () => mustEqual(await product.live(), { status: 'ok' }, LIVE),
      },
    ],
  };
}
