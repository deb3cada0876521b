import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Action } from '../../../activities/actions/types';
import type { JsonObject } from '../../../core/base/json';
import type { UnitCall } from '../../../core/engine/commands';
import { callDigest } from '../../../core/engine/digest';
import { TransitionsStore } from '../../../infra/db/stores/transitions.store';
import type { TestDatabase } from '../../db/db-fixture';
import { RunnerBench } from './runner-bench';

let db: TestDatabase;
let runId: string;
const bench = new RunnerBench();
beforeAll(async () => {
  db = await bench.open();
  runId = await bench.newRun();
});
afterAll(() => bench.close());

/** An approval of the run for the call as it is, with what its row says otherwise. */
async function approvalOf(
  unit: UnitCall,
  more: { status?: string; edits?: JsonObject; run?: string } = {},
): Promise<string> {
  const id = randomUUID();
  const waiting = {
    id,
    step_path: unit.path,
    step_name: unit.name,
    prompt: 'Go on?',
    status: 'waiting' as const,
    preview: [],
    preview_total: 0,
    action: { step: unit.name, inputs: unit.inputs },
    digest: callDigest(unit),
    on_reject: 'stop' as const,
    on_timeout: 'stop' as const,
    due_at: null,
  };
  await new TransitionsStore(db.database).apply(more.run ?? runId, { events: [], approvals: [waiting] });
  const edits = more.edits === undefined ? null : JSON.stringify(more.edits);
  await db.admin.query('update approvals set status = $2, edits = $3 where id = $1', [
    id,
    more.status ?? 'approved',
    edits,
  ]);
  return id;
}

describe('a call that needs an approval', () => {
  let done: JsonObject[] = [];
  const act: Action = ({ inputs }) => {
    done.push(inputs);
    return Promise.resolve({ output: {} });
  };
  const call = (path: string, more: Partial<UnitCall> = {}): UnitCall =>
    bench.unit(path, { action: 'act', inputs: { to: 'a' }, ...more });

  async function outcome(unit: UnitCall): Promise<unknown> {
    done = [];
    const { outcomes } = await bench.run(bench.depsWith({ act }), [unit]);
    const [one] = outcomes as { status: string; error?: { code: string; category: string } }[];
    return one?.status === 'ok' ? done : [one?.error?.code, one?.error?.category, done];
  }
  const refused = ['approval_mismatch', 'forbidden', []];

  it.each(['approved', 'auto_approved'])('is done where it was %s as it is', async (status) => {
    const unit = call(`as-${status}`);
    expect(await outcome({ ...unit, approvalId: await approvalOf(unit, { status }) })).toEqual([{ to: 'a' }]);
  });

  it.each(['waiting', 'rejected', 'timed_out'])('is not done where the approval is %s', async (status) => {
    const unit = call(`as-${status}`);
    expect(await outcome({ ...unit, approvalId: await approvalOf(unit, { status }) })).toEqual(refused);
  });

  it('is not done by an approval that is not there, of another call, or of another run', async () => {
    expect(await outcome({ ...call('none'), approvalId: randomUUID() })).toEqual(refused);
    const shown = call('changed');
    const changed = { ...shown, inputs: { to: 'b' }, approvalId: await approvalOf(shown) };
    expect(await outcome(changed)).toEqual(refused);
    const mine = runId;
    runId = await bench.newRun();
    const elsewhere = call('elsewhere');
    expect(await outcome({ ...elsewhere, approvalId: await approvalOf(elsewhere, { run: mine }) })).toEqual(refused);
    const here = call('here');
    expect(await outcome({ ...here, approvalId: await approvalOf(here) })).toEqual([{ to: 'a' }]);
  });

  it('is done with the edits that were approved, and with no others', async () => {
    const edited = async (
      path: string,
      approved: JsonObject | undefined,
      edits: JsonObject | undefined,
      more: Partial<UnitCall> = {},
    ) => {
      const unit = call(path, more);
      const approvalId = await approvalOf(unit, approved === undefined ? {} : { edits: approved });
      return outcome({ ...unit, approvalId, ...(edits === undefined ? {} : { edits }) });
    };
    expect(await edited('other', { to: 'c' }, { to: 'd' })).toEqual(refused);
    expect(await edited('none', { to: 'c' }, undefined)).toEqual(refused);
    expect(await edited('own', undefined, { to: 'c' })).toEqual(refused);
    expect(await edited('same', { to: 'c' }, { to: 'c' })).toEqual([{ to: 'c' }]);
    // Inputs given to a retry were shown and belong to the approved action.
    const overrides = { to: 'b', cc: 'x' };
    expect(await edited('given', undefined, overrides, { overrides })).toEqual([overrides]);
    const both = { to: 'c', cc: 'x' };
    expect(await edited('given-and-edited', { to: 'c' }, both, { overrides })).toEqual([both]);
    expect(await edited('given-alone', { to: 'c' }, overrides, { overrides })).toEqual(refused);
  });
});
