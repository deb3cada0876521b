import { EXIT, type ExitCode } from './errors';
import type { Run } from './http/types';

/** A monitor's run that found nothing new did its work too. */
const GOOD_ENDS = ['complete', 'suppressed'];

export function exitCodeOfRun(run: Pick<Run, 'status'>): ExitCode {
  return GOOD_ENDS.includes(run.status) ? EXIT.ok : EXIT.failed;
}

/** The last lines that a person, or a script, reads. */
export function runLines(run: Run, report?: string): string {
  const lines = [`run: ${run.runId}`, `status: ${run.status}`];
  if (run.message !== undefined) lines.push(`message: ${run.message}`);
  if (report !== undefined) lines.push(`report: ${report}`);
  return lines.join('\n');
}
