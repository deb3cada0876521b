/** Run statuses in the order of a life. */
export const RUN_STATUSES = [
  'pending',
  'running',
  'waiting_approval',
  'waiting_budget',
  'needs_attention',
  'paused',
  'suppressed',
  'complete',
  'partial',
  'rejected',
  'failed',
  'cancelled',
  'timed_out',
] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

const TERMINAL: readonly RunStatus[] = [
  'suppressed',
  'complete',
  'partial',
  'rejected',
  'failed',
  'cancelled',
  'timed_out',
];
export function isTerminal(status: RunStatus): boolean {
  return TERMINAL.includes(status);
}

/** Task queues; tests and several installations on one server put a prefix in front. */
export const QUEUES = { main: 'af-default', llm: 'af-llm', ingest: 'af-ingest', quarantine: 'af-quarantine' } as const;

/** The one local user until identity arrives; the owner id flows through every table from the first day. */
export const LOCAL_USER_ID = '00000000-0000-4000-8000-000000000001';
