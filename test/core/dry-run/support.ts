import { dryRun } from '../../../core/dry-run/dry-run';
import type { DryReport, DryRunRequest, LiveRead } from '../../../core/dry-run/types';
import { traitsOf } from '../../../infra/temporal/run-input';
import { planOf } from '../playbook/support';
import { CATALOGUE } from '../validate/harness';

const CLOCK = { now: '2026-11-28T10:00:00Z', today: '2026-11-28', time_zone: 'UTC' };
/** A step that does something and gives `null`. */
export const KEEP = 'step_type: tool, action: write_journal_entry, inputs: {summary: x}';

/** The dry run of a playbook, that of its steps alone where the text begins with one. */
export function dryRunOf(text: string, more: Partial<DryRunRequest> = {}, live?: LiveRead): Promise<DryReport> {
  const plan = planOf(text.startsWith('  - ') ? `id: test\nsteps:\n${text}` : text);
  const outside = { catalogue: CATALOGUE, traits: traitsOf(plan), ...(live === undefined ? {} : { live }) };
  return dryRun(plan, outside, { inputs: {}, clock: CLOCK, samples: {}, decisions: {}, ...more });
}
