import { innerMessage } from '../core/report/shortfall-text';
import { EXIT, type ExitCode } from './errors';
import type { Run } from './http/types';

/** A monitor's run that found nothing new did its work too. */
const GOOD_ENDS = ['complete', 'suppressed'];

export function exitCodeOfRun(run: Pick<Run, 'status'>): ExitCode {
  return GOOD_ENDS.includes(run.status) ? EXIT.ok : EXIT.failed;
}

/**
 * Steps that failed, were skipped because of a failure, or gave less than all, with codes, where the run's own message does not say it;
 * empty for a run that did all of its work.
 */
export function reasonLines({ status, steps, message = '' }: Pick<Run, 'status' | 'steps' | 'message'>): string[] {
  if (GOOD_ENDS.includes(status)) return [];
  const lines = steps.flatMap((step) => {
    // An error of a step that is well is one of an earlier try.
    if (step.status === 'failed')
      return [`${step.step_path} failed${step.error === undefined ? '' : `: ${errorText(step.error, message)}`}`];
    // Inner steps are named by whole paths, as in the message.
    if (step.incomplete !== undefined)
      return step.incomplete.map(({ message: gap }) => innerMessage(gap) ?? `${step.step_path}: ${gap}`);
    return step.status === 'skipped' && isForAFailure(step.reason)
      ? [`${step.step_path} was left out: ${step.reason}`]
      : [];
  });
  return lines.filter((line) => !message.includes(line)).map((line) => `  ${line}`);
}

/** Warning of something that will go wrong, known before the run begins. */
export function warningLine({ code, message }: { code: string; message: string }): string {
  return `warning: ${code}: ${message}`;
}

/** A sentence that the run's own message contains is not repeated. */
export function errorText(error: { code: string; message: string }, told: string | undefined): string {
  return told?.includes(error.message) === true ? error.code : `${error.code}: ${error.message}`;
}

/** True for a reason that is a failure. A condition that did not hold is none: the playbook intends that. */
function isForAFailure(reason: string | undefined): reason is string {
  return reason !== undefined && !MEANT.has(reason);
}

const MEANT = new Set(['condition']);

/** The last lines that a person, or a script, reads. */
export function runLines(run: Run, report?: string): string {
  const lines = [`run: ${run.runId}`, `status: ${run.status}`];
  if (run.message !== undefined) lines.push(`message: ${run.message}`);
  const cost = costText(run.usage);
  if (cost !== undefined) lines.push(`cost: ${cost}`);
  if (report !== undefined) lines.push(`report: ${report}`);
  return lines.join('\n');
}

/** Cost of the models; undefined without a call. A sum that lacks some calls says so. */
export function costText({ cost_usd, unpriced_calls }: Run['usage']): string | undefined {
  const known = cost_usd === null ? undefined : `$${cost_usd}`;
  if (unpriced_calls === 0) return known;
  const unknown = `${unpriced_calls} model call${unpriced_calls === 1 ? '' : 's'} without a known price`;
  return known === undefined ? `not known (${unknown})` : `${known}, not all: ${unknown}`;
}
