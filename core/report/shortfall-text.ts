import type { Shortfall } from '../engine/gaps';

/** One line for people: `read failed: directory_not_allowed`, `read: 2 of 8 files not read`. */
export function shortfallText({
  step,
  kind,
  code,
  message,
}: Pick<Shortfall, 'step' | 'code' | 'message'> & { kind: string }): string {
  if (kind === 'failed') return `${step} failed: ${code}${message === '' ? '' : ` (${message})`}`;
  return kind === 'skipped' ? `${step} was skipped: ${message}` : `${step}: ${message}`;
}

/** Prefix of gaps inside a step, which are named by whole paths. */
export const INNER_PREFIX = 'inside, ';

/** Message about inner steps, with their paths; undefined = the message is about the step itself. */
export function innerMessage(message: string): string | undefined {
  return message.startsWith(INNER_PREFIX) ? message.slice(INNER_PREFIX.length) : undefined;
}
