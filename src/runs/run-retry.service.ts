import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { PlaybooksStore } from '../../infra/db/stores/definitions.store';
import { RunRetryStore } from '../../infra/db/stores/run-retry.store';
import { RunsStore } from '../../infra/db/stores/runs.store';
import { AppError } from '../../core/errors/app-error';
import { isTerminal } from '../../core/base/run-status';
import type { CallerInfo } from '../http/caller';
import type { RetryRunDto } from './dto/run-commands.dto';
import type { RunStartedDto } from './dto/run-view.dto';
import { editSchema } from '../../core/actions/edit-schema';
import type { Plan } from '../../core/playbook/types';
import { editProblem } from '../../infra/approvals/edit-check';
import { planRetry } from './retry-plan';
import { RunLauncher } from './run-launcher';

/** Edited inputs meet the same check as an approver's edits. Throws `invalid_inputs`. */
function checkInputs(plan: Plan, { from_step: from, inputs }: RetryRunDto): void {
  const step = plan.steps.find((each) => each.name === from);
  if (inputs === undefined || (step?.kind !== 'tool' && step?.kind !== 'llm_task')) return;
  const problem = editProblem(editSchema(step.action, step.inputs) ?? null, inputs);
  if (problem === undefined) return;
  throw new AppError('invalid_inputs', `The inputs do not fit the step "${step.name}": ${problem}`, {
    category: 'validation',
  });
}

@Injectable()
export class RunRetryService {
  constructor(
    private readonly runs: RunsStore,
    private readonly playbooks: PlaybooksStore,
    private readonly retries: RunRetryStore,
    private readonly launcher: RunLauncher,
  ) {}

  /** Throws `run_not_found`, `run_not_closed`, `unknown_step`, `inputs_not_editable`. */
  async retry(caller: CallerInfo, runId: string, body: RetryRunDto): Promise<RunStartedDto> {
    const run = await this.runs.require(caller.ownerId, runId);
    if (!isTerminal(run.status)) {
      throw new AppError(
        'run_not_closed',
        `The run is ${run.status}. Only a run that has ended can be retried: wait for it, or cancel it first.`,
        {
          category: 'conflict',
        },
      );
    }
    const version = await this.playbooks.version(caller.ownerId, run.playbook_version_id);
    if (version === null) {
      throw new AppError('version_not_found', 'The playbook version of this run is gone.', { category: 'not_found' });
    }
    checkInputs(version.body, body);
    const plan = planRetry({
      plan: version.body,
      outcomes: await this.retries.outcomes(caller.ownerId, runId),
      gates: await this.retries.gates(caller.ownerId, runId),
      ...(body.from_step === undefined ? {} : { fromStep: body.from_step }),
      ...(body.inputs === undefined ? {} : { inputs: body.inputs }),
    });
    const newRunId = randomUUID();
    await this.retries.create(caller.ownerId, runId, newRunId, plan);
    return { runId: newRunId, status: await this.launcher.launch(caller.ownerId, newRunId) };
  }
}
