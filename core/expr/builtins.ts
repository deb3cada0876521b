import { addDays } from '../base/calendar';
import type { Json } from '../base/json';
import type { RunClock } from '../engine/clock';
import { isDigit } from './cursor';
import { MAX_DAYS } from './limits';
import { BUILTIN_NAMES } from './reserved-roots';

/** True for the variables that every run has: those of BUILTIN_NAMES, `N_days_ago` and `N_days_ahead` (N from 0 to 36500). */
export function isBuiltin(name: string): boolean {
  return BUILTIN_NAMES.includes(name) || daysFrom(name) !== undefined;
}

/** Value of a built-in variable, from the run's clock alone; undefined when it is none or has no value. */
export function resolveBuiltin(name: string, clock: RunClock, runId: string): Json | undefined {
  switch (name) {
    case 'today':
      return clock.today;
    case 'now':
      return clock.now;
    case 'execution_id':
      return runId;
    case 'last_execution_date':
      return clock.last_execution_date;
    default: {
      const days = daysFrom(name);
      return days === undefined ? undefined : addDays(clock.today, days);
    }
  }
}

/** Days from the start of the run, negative for the past. */
function daysFrom(name: string): number | undefined {
  const [digits = '', direction] = name.split(/(?=_)/, 2);
  const sign = name === `${digits}_days_ago` ? -1 : name === `${digits}_days_ahead` ? 1 : undefined;
  if (direction === undefined || sign === undefined || digits.length === 0 || digits.length > 5) return undefined;
  for (let index = 0; index < digits.length; index++) {
    if (!isDigit(digits.charCodeAt(index))) return undefined;
  }
  if (digits.length > 1 && digits.startsWith('0')) return undefined;
  const days = Number(digits);
  return days <= MAX_DAYS ? sign * days : undefined;
}
