import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startFaultBench, type FaultBench } from '../support/fault-bench';
import { size } from '../support/fault-size';
import { callStep, playbook } from '../support/fault-texts';
import { checkLedger } from '../support/ledger';
import { memoryGroup, type MemoryGroup } from '../support/memory-group';
import type { WorkerOptions } from '../support/stack';

/** Nine megabytes of JSON that become hundreds of megabytes of objects. */
const POISON = `[${'[],'.repeat(3_100_000)}[]]`;
const LIMIT_MB = 420;
const HEAP_MB = 180;
const ALONE = size(1, 8);

let bench: FaultBench;
let group: MemoryGroup | undefined;
let deaths = 0;
const closing = new AbortController();
let supervisor = Promise.resolve();

/** Starts a dead worker again, like the supervisor of `npm start`. */
async function keepAlive(options: WorkerOptions): Promise<void> {
  while (!closing.signal.aborted) {
    const worker = await bench.stack.startWorker(options).catch(() => undefined);
    await worker?.exited;
    if (!closing.signal.aborted) deaths += 1;
  }
}

beforeAll(async () => {
  group = memoryGroup(LIMIT_MB * 1024 * 1024);
  bench = await startFaultBench({
    workers: 0,
    env: { AF_QUARANTINE_AFTER: String(size(1, 2)), AF_WORKER_LOST_AFTER: String(ALONE) },
  });
  const limited = group
    ? { onSpawn: (pid: number) => group?.add(pid) }
    : { nodeOptions: [`--max-old-space-size=${HEAP_MB}`] };
  supervisor = keepAlive(limited);
});

afterAll(async () => {
  closing.abort();
  await bench?.stack.killWorkers();
  await supervisor;
  await bench?.close();
  group?.remove();
});

it('F02c: a step that kills its worker ends in needs_attention; its neighbours finish; a person decides', async () => {
  const { stack, witness } = bench;
  const { api } = stack;
  let poisoned = true;
  witness.respond((seen) => (seen.path.startsWith('/read') && poisoned ? { body: POISON } : undefined));
  const poison =
    '{name: point, step_type: tool, action: call_connector, connector: w, endpoint: read, inputs: {what: point}}';
  const bad = await api.savePlaybook(playbook('poison', [poison, callStep('then', 'keyed')]));
  const good = await api.savePlaybook(
    playbook(
      'neighbour',
      ['a', 'b', 'c'].map((name) => callStep(name, 'keyed')),
    ),
  );
  const victims = [await api.startRun(bad), await api.startRun(bad)];
  const neighbours: string[] = [];
  for (let at = 0; at < 5; at++) neighbours.push(await api.startRun(good));

  for (const id of neighbours) expect(await api.done(id)).toMatchObject({ status: 'complete' });
  for (const id of victims) {
    const run = await api.until(
      id,
      (seen) => seen.status === 'needs_attention',
      'needs_attention',
      size(180_000, 1_200_000),
    );
    expect(run.waits).toMatchObject([{ kind: 'attention', step_path: 'point', code: 'worker_lost' }]);
  }
  expect(deaths).toBeGreaterThanOrEqual(ALONE + 1);
  if (group) expect(group.kills()).toBeGreaterThanOrEqual(ALONE + 1);

  poisoned = false;
  const [first = '', second = ''] = victims;
  expect(await api.resolve(first, 'point', 'repeat')).toMatchObject({ status: 200 });
  expect(await api.resolve(second, 'point', 'not_done')).toMatchObject({ status: 200 });
  expect(await api.done(first)).toMatchObject({ status: 'complete' });
  expect(await api.done(second)).toMatchObject({ status: 'partial' });
  const runs = [...victims, ...neighbours];
  const effects = new Map([...victims.map((id) => [id, 1] as const), ...neighbours.map((id) => [id, 3] as const)]);
  expect(await checkLedger(stack, { witness, runs, effects })).toEqual([]);
});
