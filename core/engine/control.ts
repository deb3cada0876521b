import type { Machine } from './machine';

/** Replay-sensitive. What people do to a run as a whole. */

export function holdRun(m: Machine): void {
  m.state.paused = true;
  m.state.pausedAt ??= m.now;
}

export function cancelRun(m: Machine): void {
  m.state.closing = { status: 'cancelled', code: 'cancelled', message: 'The run was cancelled.' };
}
