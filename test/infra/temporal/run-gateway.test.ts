import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { status } from '@grpc/grpc-js';
import { randomUUID } from 'node:crypto';
import { LOCAL_USER_ID } from '../../../core/base/run-status';
import { DECISION_DEADLINE_MS } from '../../../src/approvals/decision.service';
import { GrpcRelay } from '../../support/grpc-relay';
import { startInProcess, type InProcess } from '../../support/in-process';
import { sharedTemporal } from '../../support/temporal';

/** The gateway's own way to Temporal goes through the relay: what is refused there is refused on the wire. */
const UPDATE = 'UpdateWorkflowExecution';
const BUSY = { code: status.RESOURCE_EXHAUSTED, details: 'limit on number of concurrent in-flight updates' };

let relay: GrpcRelay;
let stack: InProcess;
beforeAll(async () => {
  relay = await GrpcRelay.before((await sharedTemporal()).address);
  stack = await startInProcess({ temporalAddress: relay.address });
});
afterAll(async () => {
  await stack?.close();
  relay?.close();
});

async function received(): Promise<{ runId: string; approvalId: string; decisionId: string }> {
  relay.refuse = () => undefined;
  const slug = await stack.save('id: ask\nname: Ask\nsteps:\n  - {name: ask, step_type: approval, prompt: go}\n');
  const runId = await stack.start(slug);
  const approvalId = await stack.approval(runId);
  const decisionId = randomUUID();
  const { digest } = await stack.approvals.require(LOCAL_USER_ID, approvalId);
  await stack.decisions.receive(LOCAL_USER_ID, {
    approvalId,
    decisionId,
    digest: digest ?? '',
    actor: 'local',
    via: 'api',
    decision: 'approve',
  });
  return { runId, approvalId, decisionId };
}

describe('an update that the server has no room for', () => {
  it('is repeated under its id, and counts once', async () => {
    const decision = await received();
    const before = relay.times(UPDATE);
    relay.refuse = (method, times) => (method === UPDATE && times <= before + 2 ? BUSY : undefined);
    expect(await stack.gateway.decideApproval({ ...decision, deadlineMs: 60_000 })).toEqual({ state: 'counted' });
    expect(relay.times(UPDATE)).toBe(before + 3);
    expect((await stack.done(decision.runId)).status).toBe('complete');
    expect(await stack.decisions.list(LOCAL_USER_ID, decision.approvalId)).toMatchObject([{ state: 'counted' }]);
  });

  it('is repeated more than twice in the time of the caller; without room it stays received, for later', async () => {
    const decision = await received();
    const before = relay.times(UPDATE);
    relay.refuse = (method) => (method === UPDATE ? BUSY : undefined);
    expect(await stack.gateway.decideApproval({ ...decision, deadlineMs: DECISION_DEADLINE_MS })).toEqual({
      state: 'unanswered',
    });
    expect(relay.times(UPDATE)).toBeGreaterThan(before + 2);
    expect(await stack.decisions.list(LOCAL_USER_ID, decision.approvalId)).toMatchObject([{ state: 'received' }]);
    relay.refuse = () => undefined;
    expect(await stack.gateway.decideApproval({ ...decision, deadlineMs: 60_000 })).toEqual({ state: 'counted' });
    expect((await stack.done(decision.runId)).status).toBe('complete');
  });
});
