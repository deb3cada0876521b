import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { callStep, playbook, witnessConnector } from '../support/fault-texts';
import { checkLedger } from '../support/ledger';
import { startStack, type Stack } from '../support/stack';
import { Witness } from '../support/witness';

const STEPS = Array.from({ length: 10 }, (_unused, at) => `s${at}`);

let witness: Witness;
let stack: Stack;
beforeAll(async () => {
  witness = await Witness.start();
  stack = await startStack({ egress: [witness.address] });
  await stack.api.saveConnector(witnessConnector(witness.url));
  await stack.api.savePlaybook(playbook('ten', STEPS.map((name) => callStep(name, 'keyed'))));
}, 180_000);
afterAll(async () => {
  await stack?.close();
  await witness?.close();
});

describe('a worker killed in a run of ten steps, default on_error', () => {
  it('runs undisturbed', async () => {
    const runId = await stack.api.startRun('ten');
    const run = await stack.api.done(runId);
    expect(run.status).toBe('complete');
    expect(await checkLedger(stack, { witness, effects: new Map([[runId, 10]]) })).toEqual([]);
  });
});
