import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { OpenRunsStore } from '../infra/db/stores/open-runs.store';
import type { RunFacts } from '../infra/db/stores/run-types';
import { workflowId } from '../infra/temporal/run-start';
import type { RunRef } from '../workflows/types';

const KEPT = 5_000;

/**
 * Compares the claims of the workflow with the run's row: a person who may start workflows needs the ids of an existing
 * run, and gets no more than its owner's rights. The plan itself is not compared: only an operator has access to the
 * namespace. The facts compared never change, so the answer is kept.
 */
export class RunVerifier {
  private readonly seen = new Map<string, RunFacts>();

  constructor(private readonly runs: OpenRunsStore) {}

  /** Takes the facts of a run that this process starts from the writer of its row, so that they are not read again. */
  know(facts: RunFacts): void {
    if (this.seen.size >= KEPT) this.seen.clear();
    this.seen.set(facts.id, facts);
  }

  async verify(ref: RunRef): Promise<RunFacts> {
    const claimed = Context.current().info.workflowExecution?.workflowId;
    const facts = this.seen.get(ref.runId) ?? (await this.load(ref.runId));
    const matches =
      claimed === workflowId(ref.runId) &&
      facts?.owner_id === ref.ownerId &&
      facts.playbook_version_id === ref.versionId;
    if (!matches || !facts) {
      throw ApplicationFailure.create({
        type: 'context_mismatch',
        message: 'This workflow does not belong to the run that it names.',
        nonRetryable: true,
      });
    }
    return facts;
  }

  private async load(runId: string): Promise<RunFacts | null> {
    const facts = await this.runs.facts(runId);
    if (facts) this.know(facts);
    return facts;
  }
}
