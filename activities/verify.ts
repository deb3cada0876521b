import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { OpenRunsStore } from '../infra/db/stores/open-runs.store';
import type { RunRow } from '../infra/db/stores/run-types';
import { workflowId } from '../infra/temporal/run-gateway';
import type { RunRef } from '../workflows/types';

const FACTS = [
  'id',
  'owner_id',
  'playbook_slug',
  'created_at',
  'playbook_id',
  'playbook_version_id',
  'playbook_name',
  'root_run_id',
  'depth',
  'run_context',
  'approval_policy',
  'connectors',
] as const satisfies readonly (keyof RunRow)[];

export type RunFacts = Pick<RunRow, (typeof FACTS)[number]>;

const KEPT = 5_000;

/**
 * Compares what the workflow claims with the run's row: somebody who may start workflows needs the ids of an existing run,
 * and gets no more than its owner's rights. The plan itself is not compared: only an operator has access to the namespace. The facts
 * compared never change, so the answer is kept.
 */
export class RunVerifier {
  private readonly seen = new Map<string, RunFacts>();

  constructor(private readonly runs: OpenRunsStore) {}

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

  private async load(runId: string): Promise<RunFacts | undefined> {
    const row = await this.runs.get(runId);
    if (!row) return undefined;
    if (this.seen.size >= KEPT) this.seen.clear();
    const facts = factsOf(row);
    this.seen.set(runId, facts);
    return facts;
  }
}

/** The whole row would keep inputs and outputs of thousands of runs in memory. */
function factsOf(row: RunRow): RunFacts {
  return Object.fromEntries(FACTS.map((name) => [name, row[name]])) as unknown as RunFacts;
}
