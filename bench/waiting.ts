import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { BARE_QUEUE } from './bare/queue';
import { after, mustEqual, smallDocument } from './documents';
import type { Stack } from './stack';

/** A run that waits for a person. `approve` lets it go on and gives the ms from the approval to its end, seen by the client. */
export interface WaitingRun {
  approve(): Promise<number>;
}

const STEPS = 4;
/** Until the follower that opened a stream counts as one: what follows is measured. */
const SETTLE_MS = 40;

/** Approve by HTTP; the end is the `complete` event of the stream. */
export async function waitingProduct(stack: Stack, no: number): Promise<WaitingRun> {
  const { product } = stack;
  const document = smallDocument(no);
  const runId = await product.start('w2', { document });
  const first = await product.follow(runId);
  const { id, data } = await first.until('approval.requested');
  first.close();
  const approvalId = data['approvalId'] as string;
  const digest = await product.digest(approvalId);
  return {
    approve: async () => {
      const stream = await product.follow(runId, id);
      await sleep(SETTLE_MS);
      const began = performance.now();
      const [, took] = await Promise.all([
        product.approve(approvalId, digest),
        stream.until('complete').then(() => performance.now() - began),
      ]);
      const { status, outputs } = await product.run(runId);
      mustEqual(status, 'complete', `w2 ${runId}`);
      mustEqual(
        (outputs[`s${STEPS}`] as { data?: unknown[] } | undefined)?.data?.[0],
        after(document, STEPS),
        `w2 ${runId}`,
      );
      return took;
    },
  };
}

/** The same by hand: a signal or an update, then the workflow's result. */
export async function waitingBare({ bare }: Stack, by: 'signal' | 'update', no: number): Promise<WaitingRun> {
  const document = smallDocument(no);
  const workflowId = `bare-${randomUUID()}`;
  const handle = await bare.workflow.start('twoWaitTwo', { taskQueue: BARE_QUEUE, workflowId, args: [document] });
  return {
    approve: async () => {
      await sleep(SETTLE_MS);
      const began = performance.now();
      const decide = by === 'signal' ? handle.signal('approve') : handle.executeUpdate('approveNow');
      const [, result] = await Promise.all([decide, handle.result()]);
      const took = performance.now() - began;
      mustEqual(result, after(document, STEPS), workflowId);
      return took;
    },
  };
}
