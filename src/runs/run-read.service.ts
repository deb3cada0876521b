import { Inject, Injectable } from '@nestjs/common';
import type { JsonObject } from '../../core/base/json';
import { RunViewStore } from '../../infra/db/stores/run-view.store';
import { RunsStore } from '../../infra/db/stores/runs.store';
import { StepsStore } from '../../infra/db/stores/steps.store';
import type { RunGateway } from '../app/ports';
import { GATEWAY } from '../app/tokens';
import type { CallerInfo } from '../http/caller';
import { pageBody } from '../shared/views';
import type { RunListQuery } from './dto/run-query.dto';
import type { RunDto, RunListDto } from './dto/run-view.dto';
import type { StepTriesDto } from './dto/step-view.dto';
import { runDetail, runSummary, tryView } from './run-view';
import { stepViews } from './step-view';

/** A playbook has at most this many steps. */
const MOST_STEPS = 1_000;

/** Lists, history and what a run waits for are rows: nothing here needs a worker or Temporal. */
@Injectable()
export class RunReadService {
  constructor(
    private readonly runs: RunsStore,
    private readonly views: RunViewStore,
    private readonly triesStore: StepsStore,
    @Inject(GATEWAY) private readonly gateway: RunGateway,
  ) {}

  async list(caller: CallerInfo, query: RunListQuery): Promise<RunListDto> {
    const { status, ...filter } = query;
    const page = await this.runs.list(caller.ownerId, {
      ...filter,
      ...(status === undefined ? {} : { status: [status] }),
    });
    return pageBody(page, runSummary);
  }

  /**
   * Throws `run_not_found`; so do the others. Of a team's run that another started: all but its steps and children. `inputs`:
   * the run's own, where the request has just given them.
   */
  async get(caller: CallerInfo, runId: string, inputs?: JsonObject): Promise<RunDto> {
    const {
      run,
      versionNo,
      connectors,
      children,
      steps: events,
    } = await this.views.require(caller.ownerId, runId, {
      limit: MOST_STEPS,
      inputs,
    });
    const steps = stepViews(events).map(({ first_seq: _, ...step }) => step);
    return runDetail({ run, versionNo, connectors, children, steps, temporalUi: this.gateway.uiLink(runId) });
  }

  async tries(caller: CallerInfo, runId: string, stepPath: string): Promise<StepTriesDto> {
    await this.runs.require(caller.ownerId, runId);
    const rows = await this.triesStore.triesOf(caller.ownerId, runId, stepPath);
    return { items: rows.map(tryView) };
  }
}
