import type { ServerEvent } from '../http/server-events';

export interface StepLine {
  path: string;
  state: 'running' | 'waiting' | 'ok' | 'failed' | 'cancelled' | 'skipped';
  note: string;
}

/** State of the steps by the events so far, in the order in which they began. */
export class StepLines {
  private readonly lines = new Map<string, StepLine>();

  /** The line that the event changed, if it is about a step. */
  take(event: ServerEvent): StepLine | undefined {
    const path = text(event.data['step_path']);
    const change = changeOf(event);
    if (path === '' || change === undefined) return undefined;
    const line = { path, ...change };
    this.lines.set(path, line);
    return line;
  }

  all(): StepLine[] {
    return [...this.lines.values()];
  }
}

function changeOf({ event, data }: ServerEvent): Omit<StepLine, 'path'> | undefined {
  switch (event) {
    case 'step.started':
      return { state: 'running', note: text(data['action']) };
    case 'step.waiting':
      return { state: 'waiting', note: `waits for ${text(data['reason']) || 'something'}` };
    case 'step.attempt_failed':
      return { state: 'running', note: `try ${text(data['try_no'])} failed: ${errorText(data['error'])}` };
    case 'step.finished':
      return data['status'] === 'failed' || data['status'] === 'cancelled'
        ? { state: data['status'], note: errorText(data['error']) || duration(data['duration_ms']) }
        : {
            state: 'ok',
            note: [...incomplete(data['incomplete']), duration(data['duration_ms'])].filter(Boolean).join(', '),
          };
    case 'step.skipped':
      return { state: 'skipped', note: text(data['message']) || text(data['reason']) };
    default:
      return undefined;
  }
}

export function duration(value: unknown): string {
  if (typeof value !== 'number') return '';
  return value < 1_000 ? `${Math.round(value)} ms` : `${(value / 1_000).toFixed(1)} s`;
}

/** Shortens a time to the minute: 2026-11-29T17:12Z. */
export function shortTime(at: string): string {
  return `${at.slice(0, 16)}Z`;
}

export function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** Gaps of the result. */
function incomplete(gaps: unknown): string[] {
  return Array.isArray(gaps) ? gaps.map(errorText) : [];
}

function errorText(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  return 'message' in error ? text(error.message) : '';
}
