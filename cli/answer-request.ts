import { randomUUID } from 'node:crypto';
import { decide } from './decide';
import { CliError, EXIT } from './errors';
import type { Api } from './http/api';
import type { Approval, DecisionAnswer } from './http/types';
import { retryTransient } from './retry-transient';

export interface AnswerOptions {
  /** Answer with yes. */
  approve: boolean;
  show: (approval: Approval) => void;
  say: (words: string) => void;
  /** Reports errors that pass or do no harm. */
  warn: (error: CliError) => void;
  signal: AbortSignal;
}

/**
 * Codes of a request that is settled already, by another person or an earlier attempt: nothing is left to do, and
 * nothing failed.
 */
const SETTLED = ['approval_already_decided', 'approval_due_passed', 'run_closed', 'already_approved'];

/** Shows a request that waits and, where that is wanted, approves what was shown. Throws a refusal that stays one. */
export async function answerRequest(api: Api, approvalId: string, options: AnswerOptions): Promise<void> {
  const { approve, show, warn, signal } = options;
  const request = () => api.get<Approval>(`/approvals/${approvalId}`);
  const warned = (error: CliError) => warn(told(error, `The request ${approvalId} is not read yet`, 'Trying again.'));
  for (;;) {
    let approval: Approval;
    try {
      approval = await retryTransient(request, warned, signal);
    } catch (error) {
      // Throws for an approval, which needs an API key; the view alone needs none.
      if (approve || !(error instanceof CliError)) throw error;
      return warn(told(error, `The request ${approvalId} cannot be shown`));
    }
    // Past events arrive too: a request that is already decided needs no answer.
    if (approval.status !== 'waiting') return;
    show(approval);
    if (!approve || (await isAnswered(api, approval, options))) return;
  }
}

/** False: it has changed since it was shown, and is to be shown anew. */
async function isAnswered(api: Api, approval: Approval, { say, warn, signal }: AnswerOptions): Promise<boolean> {
  const { approvalId, runId, step_path: place, digest } = approval;
  // The same id for each try: after a lost answer the repeated decision is recognized.
  const decisionId = randomUUID();
  const approved = () => decide(api, { approvalId, decision: 'approve', decisionId, digest });
  const what = `The request ${approvalId} of step ${place}`;
  try {
    say(
      saidOf(
        await retryTransient(
          approved,
          (error) => warn(told(error, `${what} is not approved yet`, 'Trying again.')),
          signal,
        ),
        approval,
      ),
    );
    return true;
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    if (error.code === 'approval_changed') return false;
    if (SETTLED.includes(error.code)) return true;
    const rest = `It waits for others, and the run goes on: af approvals ${approvalId}, af runs ${runId}.`;
    throw told(error, `${what} is not approved`, rest);
  }
}

function saidOf({ state }: DecisionAnswer, { rules: { quorum, approvals } }: Approval): string {
  if (state === 'received') return 'Approved: received, and delivered as soon as a worker runs.';
  const others = approvals + 1 < quorum ? `; ${approvals + 1} of the ${quorum} approvals that are needed` : '';
  return `Approved${others}.`;
}

function told(error: CliError, what: string, rest = ''): CliError {
  const exitCode = error.exitCode === EXIT.unreachable ? EXIT.unreachable : EXIT.failed;
  return new CliError(error.code, `${what}: ${error.code}: ${error.message} ${rest}`.trim(), exitCode);
}
