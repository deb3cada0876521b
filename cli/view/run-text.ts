import type { ApprovalSummary, Run } from '../http/types';
import { errorText } from '../run-outcome';
import { decidedText } from './approval-text';
import { duration } from './step-lines';

type Step = Run['steps'][number];
type Wait = Run['waits'][number];

/** A run as it stands: its playbook, its steps, why those that failed did, who decided, and what it waits for, with the way on. */
export function runText(run: Run, approvals: readonly ApprovalSummary[]): string[] {
  return [
    `playbook: ${playbookText(run.playbook)}`,
    ...run.steps.map((step) => stepLine(run, step)),
    ...approvals.filter(({ status }) => status !== 'waiting').map(decisionText),
    ...run.waits.flatMap((wait) => waitLines(run, wait)),
  ];
}

function playbookText({ slug, name, version_no: version }: Run['playbook']): string {
  return `${slug}${name === slug ? '' : ` (${name})`}${version === undefined ? '' : `, version ${version}`}`;
}

function decisionText({ step_path: place, ...approval }: ApprovalSummary): string {
  return `decided at ${place}: ${decidedText(approval)}`;
}

function stepLine({ message }: Run, step: Step): string {
  const {
    step_path,
    status,
    reason,
    message: why,
    duration_ms,
    incomplete = [],
    error,
    tries,
    copied_from: from,
  } = step;
  const after = tries > 1 ? `after ${tries} tries` : '';
  const taken = from === undefined ? '' : `taken over from ${from}`;
  const note = [...incomplete.map((gap) => gap.message), why ?? reason ?? duration(duration_ms), after, taken]
    .filter(Boolean)
    .join(', ');
  // An error of a step that is well is one of an earlier try.
  const failure = error === undefined || status === 'ok' ? '' : `: ${errorText(error, message)}`;
  return `  ${step_path}: ${status}${note === '' ? '' : ` (${note})`}${failure}`;
}

/** Facts of a step that waits for a person; undefined when it does not any more. */
export function attentionText(run: Run, stepPath: string): string | undefined {
  const wait = run.waits.find(({ kind, step_path: path }) => kind === 'attention' && path === stepPath);
  return wait && waitLines(run, wait).join('\n');
}

function waitLines(run: Run, wait: Wait): string[] {
  const place = wait.step_path === undefined ? '' : ` at ${wait.step_path}`;
  const why =
    wait.code === undefined ? '' : `: ${errorText({ code: wait.code, message: wait.message ?? '' }, run.message)}`;
  const way = WAYS_ON[wait.kind]?.(run, wait);
  return [`waits for ${wait.kind}${place} since ${wait.since}${why}`, ...(way === undefined ? [] : [`  ${way}`])];
}

const WAYS_ON: Partial<Record<string, (run: Run, wait: Wait) => string | undefined>> = {
  approval: ({ runId }) => `see it: af approvals --run ${runId}`,
  attention: ({ runId }, { step_path: place = '' }) =>
    `say what became of it: af resolve ${runId} '${place}' done|not_done|repeat`,
  child: ({ children }, { runId }) => {
    const child = children.find((each) => each.runId === runId);
    return child && `${child.playbook} is ${child.status}: af runs ${child.runId}`;
  },
};
