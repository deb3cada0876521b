import { Injectable } from '@nestjs/common';
import { connectorEntry } from '../../core/connector/entry';
import type { ConnectorDefinition } from '../../core/connector/types';
import { AppError } from '../../core/errors/app-error';
import type { ConnectorEntry } from '../../core/validate/catalogue';
import { buildStepGraph, type StepGraph } from '../../core/validate/step-graph';
import { isInteger, isText, readCursor, writeCursor, type CursorScope } from '../../infra/db/stores/cursor';
import { ConnectorsStore, PlaybooksStore } from '../../infra/db/stores/definitions.store';
import { ModelCallsStore, type ModelCallRow } from '../../infra/db/stores/model-calls.store';
import { RunStepsStore, type StepEffect } from '../../infra/db/stores/run-steps.store';
import type { RunRow } from '../../infra/db/stores/run-types';
import { RunsStore } from '../../infra/db/stores/runs.store';
import type { CallerInfo } from '../http/caller';
import type { PageQuery } from '../http/page';
import { definitionsFor } from '../playbooks/owner-catalogue';
import { withoutNulls, pageBody } from '../shared/views';
import type { EffectDto, EffectListDto, ModelCallDto, ModelCallListDto, RunOutputsDto } from './dto/run-details.dto';

const USUAL = 50;

/** Details of a run beside its steps: calls of models, effects, outputs; and its graph. */
@Injectable()
export class RunDetailsService {
  constructor(
    private readonly runs: RunsStore,
    private readonly steps: RunStepsStore,
    private readonly models: ModelCallsStore,
    private readonly playbooks: PlaybooksStore,
    private readonly connectors: ConnectorsStore<ConnectorDefinition>,
  ) {}

  /** Throws `run_not_found`; so do the others. */
  async modelCalls(caller: CallerInfo, runId: string, query: PageQuery): Promise<ModelCallListDto> {
    await this.runs.require(caller.ownerId, runId);
    return pageBody(await this.models.page(caller.ownerId, runId, query), modelCall);
  }

  async effects(caller: CallerInfo, runId: string, query: PageQuery): Promise<EffectListDto> {
    await this.runs.require(caller.ownerId, runId);
    const limit = query.limit ?? USUAL;
    const scope = { list: 'effects', filters: { runId } };
    const after = effectPlace(scope, query.cursor);
    const rows = await this.steps.effects(caller.ownerId, runId, { after, limit: limit + 1 });
    const items = rows.slice(0, limit);
    const last = rows.length > limit ? items.at(-1) : undefined;
    return {
      items: items.map(effect),
      ...(last === undefined ? {} : { next_cursor: writeCursor(scope, [last.effect_key, String(last.try_no)]) }),
    };
  }

  async outputs(caller: CallerInfo, runId: string): Promise<RunOutputsDto> {
    const { id, status, summary, result, routing_report } = await this.runs.require(caller.ownerId, runId);
    return {
      runId: id,
      status,
      items: Object.entries(result ?? {}).map(([key, { handles }]) => ({
        key,
        omitted: Object.keys(handles ?? {}),
        link: `/api/agent-factory/runs/${id}/outputs/${encodeURIComponent(key)}`,
      })),
      ...withoutNulls({ summary, routing_report }),
    };
  }

  /** Graph of the pinned version, with the connectors as they were pinned. Throws also `version_not_found`. */
  async graph(caller: CallerInfo, runId: string): Promise<StepGraph> {
    const run = await this.runs.require(caller.ownerId, runId);
    const version = await this.playbooks.version(caller.ownerId, run.playbook_version_id);
    if (version === null) {
      throw new AppError('version_not_found', 'The playbook version of this run is gone.', { category: 'not_found' });
    }
    const stores = { connectors: this.connectors, playbooks: this.playbooks };
    const [now, pinned] = await Promise.all([
      definitionsFor(stores, caller.ownerId, version.body),
      this.pinned(caller, run),
    ]);
    return buildStepGraph(version.body, { ...now, connector: (slug) => pinned.get(slug) });
  }

  private async pinned(caller: CallerInfo, run: RunRow): Promise<Map<string, ConnectorEntry>> {
    const entries = Object.entries(run.connectors).map(async ([slug, versionId]) => {
      const version = await this.connectors.version(caller.ownerId, versionId);
      return version === null ? [] : [[slug, connectorEntry(version.body)] as const];
    });
    return new Map((await Promise.all(entries)).flat());
  }
}

function effectPlace(scope: CursorScope, cursor: string | undefined): { key: string; tryNo: number } | undefined {
  if (cursor === undefined) return undefined;
  const [key = '', tryNo] = readCursor(scope, cursor, [isText, isInteger]);
  return { key, tryNo: Number(tryNo) };
}

function modelCall(row: ModelCallRow): ModelCallDto {
  const { input_tokens, output_tokens, cost_usd, latency_ms } = row;
  return {
    id: row.id,
    step_path: row.step_path,
    try_no: row.try_no,
    call_no: row.call_no,
    provider: row.provider,
    model: row.model,
    outcome: row.outcome,
    at: row.at,
    ...withoutNulls({ input_tokens, output_tokens, cost_usd, latency_ms }),
  };
}

function effect(row: StepEffect): EffectDto {
  return {
    effect_key: row.effect_key,
    step_path: row.step_path,
    try_no: row.try_no,
    effect: row.effect,
    sent_count: row.effect_sent_count,
    ...withoutNulls({
      target: row.effect_target,
      last_sent_at: row.effect_sent_at,
      status: row.status,
      resolution: row.resolution,
    }),
  };
}
