import { Inject, Injectable } from '@nestjs/common';
import { isJsonObject, type Json } from '../../core/base/json';
import type { RunStatus } from '../../core/base/run-status';
import { AppError } from '../../core/errors/app-error';
import { RunsStore } from '../../infra/db/stores/runs.store';
import { StepsStore } from '../../infra/db/stores/steps.store';
import type { RunControl } from '../../infra/db/stores/run-types';
import type { RunGateway } from '../app/ports';
import { GATEWAY } from '../app/tokens';
import type { CallerInfo } from '../http/caller';
import { withTimeout } from '../shared/with-timeout';
import type { ControlAnswerDto, ResolveStepDto } from './dto/run-commands.dto';

/** Longest wait of a caller: the reconciler tells the run later. */
const TELL_MS = 1_500;
/** Runs that are told at once; the reconciler tells the rest. */
const MOST_TOLD = 100;

export interface ControlAnswer extends ControlAnswerDto {
  /** False: Temporal does not answer; the reconciler tells the run later. */
  delivered: boolean;
}

/** Cancel, pause, resume: the row's control column decides, the message to the run only makes it quick. */
@Injectable()
export class RunControlService {
  constructor(
    private readonly runs: RunsStore,
    private readonly steps: StepsStore,
    @Inject(GATEWAY) private readonly gateway: RunGateway,
  ) {}

  /** Throws `run_not_found`, `run_closed`; so do the others. */
  cancel(caller: CallerInfo, runId: string): Promise<ControlAnswer> {
    return this.set(caller, { runId, control: 'cancel' }, () => this.gateway.cancelRun(runId));
  }

  pause(caller: CallerInfo, runId: string): Promise<ControlAnswer> {
    return this.set(caller, { runId, control: 'pause' }, () =>
      this.tellTree(caller, runId, (id) => this.gateway.pauseRun(id)),
    );
  }

  resume(caller: CallerInfo, runId: string): Promise<ControlAnswer> {
    return this.set(caller, { runId, control: 'run' }, () =>
      this.tellTree(caller, runId, (id) => this.gateway.resumeRun(id)),
    );
  }

  /** Throws also `nothing_to_resolve`, and `temporal_unavailable`: then the same call may be repeated. */
  async resolve(caller: CallerInfo, runId: string, body: ResolveStepDto): Promise<ControlAnswerDto> {
    const run = await this.runs.require(caller.ownerId, runId);
    if (!asksFor(run.waits, body.step_path)) {
      throw new AppError(
        'nothing_to_resolve',
        `The step "${body.step_path}" of this run is not waiting for an answer (status: ${run.status}). ${waitingText(run.waits)}`,
        { category: 'conflict' },
      );
    }
    // Kept first: the run finds the answer even when it only hears that there is one.
    await this.steps.resolve(caller.ownerId, runId, body.step_path, body.outcome);
    await this.gateway.resolveStep({ runId, stepPath: body.step_path, outcome: body.outcome });
    return { runId, status: run.status, control: run.control };
  }

  /** Changes the rows of the run and of the runs that it started together, and tells each workflow. */
  private async tellTree(caller: CallerInfo, runId: string, tell: (runId: string) => Promise<void>): Promise<void> {
    const below = await this.runs.openBelow(caller.ownerId, runId);
    await Promise.all([runId, ...below.slice(0, MOST_TOLD)].map(tell));
  }

  private async set(
    caller: CallerInfo,
    order: { runId: string; control: RunControl },
    tell: () => Promise<void>,
  ): Promise<ControlAnswer> {
    const run = await this.runs.setControl(caller.ownerId, order.runId, order.control);
    const told = tell().then(
      () => true,
      (error: unknown) => {
        if (error instanceof AppError && error.category !== 'internal') {
          return false;
        }
        throw error;
      },
    );
    const delivered = await withTimeout(told, TELL_MS, false);
    return { runId: run.id, status: run.status satisfies RunStatus, control: run.control, delivered };
  }
}

function asksFor(waits: Json[], stepPath: string): boolean {
  return askingSteps(waits).includes(stepPath);
}

function askingSteps(waits: Json[]): string[] {
  return waits.flatMap((wait) =>
    isJsonObject(wait) && wait['kind'] === 'attention' && typeof wait['step_path'] === 'string'
      ? [wait['step_path']]
      : [],
  );
}

function waitingText(waits: Json[]): string {
  const asking = askingSteps(waits);
  return asking.length === 0 ? 'No step of it does.' : `Steps that do: ${asking.slice(0, 20).join(', ')}.`;
}
