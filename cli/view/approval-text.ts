import { randomUUID } from 'node:crypto';
import { resolveHome } from '../../infra/embedded/home';
import { isJsonObject, type Json, type JsonObject } from '../../core/base/json';
import { localKeyFile } from '../../infra/embedded/local-key-file';
import type { Api } from '../http/api';
import { editedTexts, effectsBehindText, effectsWithoutYes, heldStep } from '../../core/report/effects-behind-text';
import { changeText } from '../../core/report/change-text';
import { shortfallText } from '../../core/report/shortfall-text';
import { unknownApproversText } from '../../core/report/unknown-approvers-text';
import type { Approval, ApprovalSummary } from '../http/types';
import { rowsText } from './rows-text';
import { cutTo, outputWidth, plainText } from './text-width';

const SHOWN_ROWS = 8;

/** Command with which a person reaches Temporal from a shell. */
export interface TemporalCommand {
  command: string;
  /** Absent: the program's own default. */
  address?: string;
}

/** The request, and three ways to answer it. */
export function approvalText(api: Api, approval: Approval, temporal: TemporalCommand): string {
  const mayNot = cannotDecideText(approval);
  return [
    '',
    ...failureLines(approval),
    ...editedLines(approval),
    `Approval wanted: ${approval.prompt.trim()}`,
    ...changeLines(approval, '  '),
    ...previewLines(approval.preview, approval.preview_total, SHOWN_ROWS),
    `  approval ${approval.approvalId}, step ${approval.step_path}${approval.due_at === undefined ? '' : `, until ${approval.due_at}`}`,
    ...heldLines(approval),
    ...effectsBehindLines(approval, '  '),
    ...effectsWithoutYes(approval).map((text) => `  ! ${text}`),
    ...rulesLines(approval),
    ...(mayNot === undefined ? decisionLines(api, approval, temporal) : [`  ${mayNot}`]),
    '',
  ].join('\n');
}

/** Reason why they cannot decide; undefined when they can. Commands that would be refused are not offered. */
export function cannotDecideText(approval: Approval): string | undefined {
  const { may_decide: may, may_not_because: code = '', allowed_actions: actions } = approval;
  if (may) return undefined;
  const over = OVER[code];
  if (over !== undefined) return `Nothing is left to decide: ${over}.`;
  if (code === 'already_approved' && actions.includes('reject'))
    return `You have approved it already; others have to as well. Until they have, you may still reject it: af ${rejectCommand(approval)}`;
  const why = WHY_NOT[code] ?? code;
  return `You may not decide it${why === '' ? '' : `: ${why}`}. It waits for others.`;
}

const OVER: Record<string, string> = {
  approval_due_passed: 'its time is over',
  run_closed: 'the run has ended, or is being cancelled',
};

const WHY_NOT: Record<string, string> = {
  not_allowed: 'you are none of its approvers',
  four_eyes: 'neither whose run it is nor who edited last may',
  delegated_away: 'you delegated it to somebody else',
  key_read_only: 'your key reads only',
  key_may_not_decide: 'your key may not decide',
  user_deactivated: 'your account is not active any more',
};

function decisionLines(api: Api, approval: Approval, temporal: TemporalCommand): string[] {
  const body = JSON.stringify({
    decisionId: randomUUID(),
    ...(approval.digest === undefined ? {} : { digest: approval.digest }),
  });
  const signal = JSON.stringify({ approvalId: approval.approvalId, decision: 'approve' });
  const address = temporal.address === undefined ? '' : ` --address ${temporal.address}`;
  return [
    'Answer it in one of three ways (or reject: /reject, af reject, "decision":"reject"):',
    `  API       curl -X POST ${api.url(`/approvals/${approval.approvalId}/approve`)} -H "X-API-Key: $(cat ${localKeyFile(resolveHome().root)})" -H 'content-type: application/json' -d '${body}'`,
    `  CLI       npm run af -- ${approveCommand(approval)}`,
    `  Temporal  ${temporal.command} workflow signal${address} --workflow-id run-${approval.runId} --name approval --input '${signal}'`,
  ];
}

/** End of a request, with its people and time; `waiting` of an open one. */
export function decidedText({
  status,
  decided_by: by,
  decided_at: at,
}: Pick<ApprovalSummary, 'status' | 'decided_by' | 'decided_at'>): string {
  return [status, by === undefined ? '' : `by ${by}`, at ?? ''].filter(Boolean).join(' ');
}

/** Command with the digest of the shown request; a changed request is not approved. */
export function approveCommand(approval: Approval): string {
  return `approve ${shown(approval)}`;
}

function rejectCommand(approval: Approval): string {
  return `reject ${shown(approval)}`;
}

function shown({ approvalId, digest }: Approval): string {
  return `${approvalId}${digest === undefined ? '' : ` --digest ${digest}`}`;
}

/** Fields that edits changed, beside the question, which was written before. */
export function changeLines({ changes = [] }: Approval, indent = ''): string[] {
  return changes.map((change) => {
    const { by, at } = change;
    const who = [by === undefined ? '' : `, by ${by}`, at === undefined ? '' : ` at ${at}`].join('');
    return `${indent}! edited since: ${plainText(changeText(change))}${who}`;
  });
}

/** Missing data, shown before the data that depend on them. */
export function failureLines({ failures = [] }: Pick<ApprovalSummary, 'failures'>, indent = ''): string[] {
  return failures.map((failure) => `${indent}! ${shortfallText(failure)}`);
}

/** Edited inputs, shown so that the call is not taken for the earlier one. */
export function editedLines({ edited }: Pick<ApprovalSummary, 'edited'>, indent = ''): string[] {
  return editedTexts(edited).map((text) => `${indent}! ${plainText(text)}`);
}

function heldLines({ action }: Approval): string[] {
  const held = heldStep(action as Json | undefined);
  return held === undefined ? [] : [`  behind it: the call of ${held}`];
}

/** Effects that an approval permits beside the call that is shown. */
export function effectsBehindLines({ action, effects_behind: behind }: Approval, indent = ''): string[] {
  const text = effectsBehindText(behind, heldStep(action as Json | undefined));
  return text === undefined ? [] : [`${indent}${text}`];
}

/** People who decide, beside the run's owner. */
export function rulesLines({
  rules: { quorum, approvals, approvers, unknown_approvers: unknown, four_eyes: fourEyes },
}: Approval): string[] {
  const nobody = unknownApproversText(unknown);
  return [
    ...(quorum > 1 ? [`  ${approvals} of the ${quorum} approvals that are needed`] : []),
    ...(approvers.length > 0 ? [`  approvers ${approvers.map(approverText).join(', ')}`] : []),
    ...(fourEyes ? ['  neither whose run it is nor who edited last may decide'] : []),
    ...(nobody === undefined ? [] : [`  ! ${nobody}`]),
  ];
}

function approverText({ kind, name }: Approval['rules']['approvers'][number]): string {
  return kind === 'user' ? name : `${kind} ${name}`;
}

/** The rows that a decision is about, as many as wanted. */
export function previewLines(preview: unknown, total: number | undefined, most: number): string[] {
  if (preview === undefined || preview === null) return [];
  const list: unknown[] = Array.isArray(preview) ? preview : [preview];
  const rows = list.filter((row): row is JsonObject => isJsonObject(row as Json));
  const width = outputWidth();
  if (rows.length > 0 && rows.length === list.length) return rowsText(rows, { width, most, total });
  const lines = list.slice(0, most).map((row) => cutTo(`    ${plainText(textOf(row))}`, width));
  const all = total ?? list.length;
  return all > lines.length ? [...lines, `    … ${all} in all`] : lines;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
