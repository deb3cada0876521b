import { randomUUID } from 'node:crypto';
import { resolveHome } from '../../infra/embedded/home';
import { localKeyFile } from '../../infra/embedded/local-key-file';
import type { Api } from '../http/api';
import { shortfallText } from '../../core/report/shortfall-text';
import type { Approval, ApprovalSummary } from '../http/types';

const SHOWN_ROWS = 8;
const ROW_WIDTH = 160;

/** How a person reaches Temporal from a shell. */
export interface TemporalCommand {
  command: string;
  /** Absent: the one that the program uses by itself. */
  address?: string;
}

/** The request, and three ways to answer it. */
export function approvalText(api: Api, approval: Approval, temporal: TemporalCommand): string {
  const body = JSON.stringify({
    decisionId: randomUUID(),
    ...(approval.digest === undefined ? {} : { digest: approval.digest }),
  });
  const signal = JSON.stringify({ approvalId: approval.approvalId, decision: 'approve' });
  const address = temporal.address === undefined ? '' : ` --address ${temporal.address}`;
  return [
    '',
    ...failureLines(approval),
    `Approval wanted: ${approval.prompt.trim()}`,
    ...previewLines(approval),
    `  approval ${approval.approvalId}, step ${approval.step_path}${approval.due_at === undefined ? '' : `, until ${approval.due_at}`}`,
    'Answer it in one of three ways (or reject: /reject, af reject, "decision":"reject"):',
    `  API       curl -X POST ${api.url(`/approvals/${approval.approvalId}/approve`)} -H "X-API-Key: $(cat ${localKeyFile(resolveHome().root)})" -H 'content-type: application/json' -d '${body}'`,
    `  CLI       npm run af -- approve ${approval.approvalId}`,
    `  Temporal  ${temporal.command} workflow signal${address} --workflow-id run-${approval.runId} --name approval --input '${signal}'`,
    '',
  ].join('\n');
}

/** First: what is missing says how far the rest can be trusted. */
export function failureLines({ failures = [] }: Pick<ApprovalSummary, 'failures'>, indent = ''): string[] {
  return failures.map((failure) => `${indent}! ${shortfallText(failure)}`);
}

function previewLines(approval: Approval): string[] {
  const { preview } = approval;
  if (preview === undefined || preview === null) return [];
  const rows: unknown[] = Array.isArray(preview) ? preview : [preview];
  const lines = rows.slice(0, SHOWN_ROWS).map((row) => `    ${short(row)}`);
  const total = approval.preview_total ?? rows.length;
  return total > lines.length ? [...lines, `    … ${total} in all`] : lines;
}

function short(row: unknown): string {
  const line = typeof row === 'string' ? row : JSON.stringify(row);
  return line.length > ROW_WIDTH ? `${line.slice(0, ROW_WIDTH - 1)}…` : line;
}
