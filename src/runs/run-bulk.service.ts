import { Injectable } from '@nestjs/common';
import type { CallerInfo } from '../http/caller';
import { bulk } from '../shared/bulk';
import type { BulkAction, BulkRunDto, BulkRunsAnswerDto, BulkRunsDto } from './dto/run-bulk.dto';
import { RunControlService, type ControlAnswer } from './run-control.service';
import { RunRetryService } from './run-retry.service';

type Done = Pick<BulkRunDto, 'run_status' | 'retry_run_id'>;

/** The routes for one run, for many. */
@Injectable()
export class RunBulkService {
  constructor(
    private readonly control: RunControlService,
    private readonly retries: RunRetryService,
  ) {}

  /** `key`: a repeat of a bulk retry with it makes no second retry of any of the runs. */
  async run(caller: CallerInfo, { action, ids }: BulkRunsDto, key: string | undefined): Promise<BulkRunsAnswerDto> {
    const runIds = ids.map((id) => id.toLowerCase());
    const outcomes = await bulk(runIds, (runId) =>
      action === 'retry' ? this.retry(caller, runId, key) : this.tell(caller, action, runId),
    );
    return {
      items: outcomes.map((outcome, index) => {
        const runId = runIds[index] ?? '';
        const { status } = outcome;
        if ('code' in outcome) return { runId, status, code: outcome.code, detail: outcome.detail };
        return { runId, status, ...outcome.answer };
      }),
    };
  }

  private async tell(
    caller: CallerInfo,
    action: Exclude<BulkAction, 'retry'>,
    runId: string,
  ): Promise<{ status: number; answer: Done }> {
    const answer: ControlAnswer = await this.control[action](caller, runId);
    return { status: answer.delivered ? 200 : 202, answer: { run_status: answer.status } };
  }

  private async retry(
    caller: CallerInfo,
    runId: string,
    key: string | undefined,
  ): Promise<{ status: number; answer: Done }> {
    const { answer } = await this.retries.retry(caller, runId, {}, key === undefined ? undefined : `${key}/${runId}`);
    return { status: 201, answer: { run_status: answer.status, retry_run_id: answer.runId } };
  }
}
