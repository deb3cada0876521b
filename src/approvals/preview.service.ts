import { Inject, Injectable } from '@nestjs/common';
import type { Json } from '../../core/base/json';
import type { StoredValue } from '../../core/engine/values';
import { previewOf } from '../../core/engine/preview';
import { walkPath } from '../../core/expr/reference';
import { collectReferences } from '../../core/expr/template';
import type { Reference } from '../../core/expr/types';
import type { Plan } from '../../core/playbook/types';
import { allSteps } from '../../core/playbook/walk';
import type { BlobStore } from '../../infra/blob/blob-store';
import { ApprovalsStore, type ApprovalRow } from '../../infra/db/stores/approvals.store';
import { PlaybooksStore } from '../../infra/db/stores/definitions.store';
import { RunsStore } from '../../infra/db/stores/runs.store';
import { StepsStore } from '../../infra/db/stores/steps.store';
import { BLOBS } from '../app/tokens';
import type { CallerInfo } from '../http/caller';
import type { PageQuery } from '../http/page';
import { storedJson } from '../runs/stored-json';
import { readNumberPlace, writeNumberPlace } from '../shared/positions';
import { withoutNulls } from '../shared/views';
import type { PreviewPageDto } from './dto/inbox.dto';

const USUAL = 50;
/** Limit above which a preview is not read into memory: then the rows of the request are shown. */
const MOST_BYTES = 16 * 1024 * 1024;

/** All rows behind a preview, which itself keeps only the first ones. */
@Injectable()
export class PreviewService {
  constructor(
    private readonly approvals: ApprovalsStore,
    private readonly runs: RunsStore,
    private readonly steps: StepsStore,
    private readonly playbooks: PlaybooksStore,
    @Inject(BLOBS) private readonly blobs: BlobStore,
  ) {}

  /** Throws `approval_not_found`. */
  async page(caller: CallerInfo, approvalId: string, query: PageQuery): Promise<PreviewPageDto> {
    const approval = await this.approvals.require(caller.ownerId, approvalId);
    const scope = { list: 'preview', filters: { approvalId: approval.id } };
    const from = readNumberPlace(scope, query.cursor) ?? 0;
    const to = from + (query.limit ?? USUAL);
    const kept = approval.preview_rows ?? rowsOf(approval.preview);
    const enough = approval.preview_total === null || kept.length >= approval.preview_total;
    const rows = enough ? kept : ((await this.source(approval)) ?? kept);
    return {
      items: rows.slice(from, to),
      complete: enough || rows !== kept,
      ...withoutNulls({ total: approval.preview_total }),
      ...(rows.length > to ? { next_cursor: writeNumberPlace(scope, to) } : {}),
    };
  }

  /**
   * The list that the gate's `preview_from` names, from what its step recorded; undefined: nobody recorded it. It is read
   * for the run's owner: who decides sees the preview and nothing else of the run.
   */
  private async source({ owner_id: ownerId, ...approval }: ApprovalRow): Promise<Json[] | undefined> {
    const run = await this.runs.require(ownerId, approval.run_id);
    const version = await this.playbooks.version(ownerId, run.playbook_version_id);
    const ref = version === null ? undefined : previewRef(version.body, approval.step_name);
    if (version === null || ref === undefined) return undefined;
    const name = allSteps(version.body.steps).find((step) => step.key === ref.root)?.name;
    for (const path of name === undefined ? [] : placesOf(approval.step_path, name)) {
      const tries = await this.steps.triesOf(ownerId, run.id, path);
      const output = tries.find((row) => row.status === 'ok')?.output;
      if (output !== undefined && output !== null) return this.read(ownerId, output, ref);
    }
    return undefined;
  }

  private async read(ownerId: string, stored: StoredValue, ref: Reference): Promise<Json[] | undefined> {
    const bytes = Object.values(stored.handles ?? {}).reduce((sum, handle) => sum + handle.size, 0);
    if (bytes > MOST_BYTES) return undefined;
    const chunks: Buffer[] = [];
    for await (const chunk of storedJson(stored, (part) => this.blobs.get(ownerId, part.sha256))) {
      chunks.push(chunk);
    }
    const { rows } = previewOf(
      walkPath(JSON.parse(Buffer.concat(chunks).toString('utf8')) as Json, ref.path),
      Infinity,
    );
    return Array.isArray(rows) ? rows : undefined;
  }
}

function rowsOf(preview: Json): Json[] {
  return Array.isArray(preview) ? preview : preview === null ? [] : [preview];
}

function previewRef(plan: Plan, gate: string): Reference | undefined {
  const step = allSteps(plan.steps).find((each) => each.name === gate);
  if (step?.kind !== 'approval' || step.preview_from === undefined) return undefined;
  return collectReferences(`{${step.preview_from}}`)[0];
}

/** Paths that a step of this name may have, as seen from a gate: beside it, then in every list around it. */
function placesOf(gatePath: string, name: string): string[] {
  const parts = gatePath.split('/').slice(0, -1);
  return Array.from({ length: parts.length + 1 }, (_, up) => [...parts.slice(0, parts.length - up), name].join('/'));
}
