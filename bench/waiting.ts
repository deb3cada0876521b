import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { BARE_QUEUE } from './bare/queue';
import { after, mustEqual, smallDocument } from './documents';
import type { Stack } from './stack';

/** A run that waits for a person. `follow` opens the stream or call that shows its end. */
export interface WaitingRun {
  follow(): Promise<Followed>;
}

export interface Followed {
  /** Approves, and gives the ms from the approval to the run's end, as the client sees them. */
  approve(): Promise<number>;
  /** Checks the result of the run once it has ended. */
  check(): Promise<void>;
}

/** Steps of W2 without the gate. */
export const WAITING_STEPS = 4;
/** Pause until the opened stream is registered: only then does the measurement begin. */
const SETTLE_MS = 40;

/** Approves one run by itself. */
export async function approveAlone(run: WaitingRun): Promise<number> {
  const followed = await run.follow();
  const took = await followed.approve();
  await followed.check();
  return took;
}

/** Approves by HTTP; the end is the `complete` event of the stream. */
export async function waitingProduct(stack: Stack, no: number): Promise<WaitingRun> {
  const { product } = stack;
  const document = smallDocument(no);
  const runId = await product.start('w2', { document });
  const first = await product.follow(runId);
  const { id, data } = await first.until('approval.requested');
  first.close();
  const approvalId = data['approvalId'] as string;
  const digest = await product.digest(approvalId);
  const follow = async (): Promise<Followed> => {
    const stream = await product.follow(runId, id);
    await sleep(SETTLE_MS);
    return {
      approve: async () => {
        const began = performance.now();
        const [, took] = await Promise.all([
          product.approve(approvalId, digest),
          stream.until('complete').then(() => performance.now() - began),
        ]);
        return took;
      },
      check: async () => {
        const { status, outputs } = await product.run(runId);
        const last = outputs[`s${WAITING_STEPS}`] as { data?: unknown[] } | undefined;
        mustEqual([status, last?.data?.[0]], ['complete', after(document, WAITING_STEPS)], `w2 ${runId}`);
      },
    };
  };
  return { follow };
}

/** The same by hand: a signal or an update, then the workflow's result. */
export async function waitingBare({ bare }: Stack, by: 'signal' | 'update', no: number): Promise<WaitingRun> {
  const document = smallDocument(no);
  const workflowId = `bare-${randomUUID()}`;
  const handle = await bare.workflow.start('twoWaitTwo', { taskQueue: BARE_QUEUE, workflowId, args: [document] });
  let result: unknown;
  const approve = async (): Promise<number> => {
    const began = performance.now();
    const decide = by === 'signal' ? handle.signal('approve') : handle.executeUpdate('approveNow');
    [, result] = await Promise.all([decide, handle.result()]);
    return performance.now() - began;
  };
  const check = async (): Promise<void> => mustEqual(result, after(document, WAITING_STEPS), workflowId);
  const follow = async (): Promise<Followed> => {
    await sleep(SETTLE_MS);
    return { approve, check };
  };
  return { follow };
}
