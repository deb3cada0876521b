import { withoutYesTexts } from '../../core/report/effects-behind-text';
import type { Approval, PreviewPage } from '../http/types';
import { moreLines } from '../lists';
import {
  approveCommand,
  changeLines,
  effectsBehindLines,
  decidedText,
  editedLines,
  failureLines,
  cannotDecideText,
  previewLines,
  rulesLines,
} from './approval-text';
import { table } from './table';

export type WholeApproval = Approval & { rows: Pick<PreviewPage, 'items' | 'next_cursor'> };

/** Whole text of a request with everything that a decision needs, in reading order. */
export function wholeApprovalText(approval: WholeApproval): string {
  const { approvalId, runId, step_path: place, prompt, rows, preview_total: total, digest } = approval;
  return [
    `approval: ${approvalId}`,
    `status: ${statusText(approval)}`,
    `run: ${runId}, step ${place}`,
    ...failureLines(approval),
    ...editedLines(approval),
    '',
    prompt.trim(),
    ...changeLines(approval),
    ...(rows.items.length === 0 && Array.isArray(approval.preview) ? ['    no rows'] : []),
    ...previewLines(rows.items, total, Infinity),
    ...moreLines(rows.items.length, rows.next_cursor),
    '',
    ...callLines(approval),
    ...rulesLines(approval),
    ...withoutYesTexts(approval).map((text) => `  ${text}`),
    ...pastLines(approval),
    ...(digest === undefined ? [] : [`digest: ${digest}`]),
    ...outcomeLines(approval),
  ].join('\n');
}

function statusText(approval: Approval): string {
  const { status, due_at: due, due_passed: isOver, run_paused: isPaused } = approval;
  if (status !== 'waiting') return decidedText(approval);
  return [
    isOver === true ? 'waiting, but its time is over' : 'waiting',
    ...(due === undefined ? [] : [`until ${due}`]),
    ...(isPaused === true ? ['its run is paused'] : []),
  ].join(', ');
}

function callLines(approval: Approval): string[] {
  const { action, edits } = approval;
  if (action === undefined || action === null) return effectsBehindLines(approval);
  return [
    `The call as it will be made${edits === undefined ? '' : ', as it was edited'}:`,
    JSON.stringify(action, null, 2),
    ...effectsBehindLines(approval),
  ];
}

/** Decisions and other acts so far, oldest first. */
function pastLines({ decisions, history }: Approval): string[] {
  const past = [
    ...decisions.map(
      ({ created_at: at, actor, decision, state, code, superseded_at: superseded, instructions, via }) => [
        at,
        `${actor} (${via})`,
        [decision, state === 'counted' ? '' : state, code ?? '', superseded === undefined ? '' : 'superseded']
          .filter(Boolean)
          .join(' '),
        instructions ?? '',
      ],
    ),
    ...history.map(({ at, actor, kind, body }) => [at, actor, kind, body === undefined ? '' : JSON.stringify(body)]),
  ].toSorted(([one = ''], [other = '']) => (one < other ? -1 : 1));
  return past.length === 0 ? ['Nobody has decided yet.'] : ['So far:', table(past)];
}

function outcomeLines(approval: Approval): string[] {
  if (approval.status !== 'waiting') return [];
  return [cannotDecideText(approval) ?? `Approve exactly this: af ${approveCommand(approval)}`];
}
