import { integer, path } from './parsers';
import { optional, required } from './variable';

/** Settings of a worker's endurance and health. */
export const WORKER_VARIABLES = {
  quarantineAfter: required(
    'AF_QUARANTINE_AFTER',
    {
      default: '2',
      expected: 'a whole number, at least 1',
      description: 'Lost workers after which a step is retried alone.',
    },
    integer(1, 1_000),
  ),
  workerLostAfter: required(
    'AF_WORKER_LOST_AFTER',
    {
      default: '8',
      expected: 'a whole number, at least 1',
      description: 'Lost workers while alone after which a step asks for a person.',
    },
    integer(1, 1_000),
  ),
  aliveFile: optional(
    'AF_ALIVE_FILE',
    {
      expected: 'a path',
      description: 'File that the worker touches every 5 s while it takes work, for health checks. Unset: none.',
    },
    path,
  ),
  startSocket: optional(
    'AF_START_SOCKET',
    {
      expected: 'a path of at most 100 bytes',
      description:
        "Unix socket on which the worker takes starts of runs from the API of the same machine; a run's first work comes with the start then, at less cost. Whatever the worker does not take, the API starts itself. Unset: all runs are started so. The embedded profile's is run/starts.sock in AF_HOME.",
    },
    path.refine((value) => Buffer.byteLength(value) <= 100),
  ),
  cachedWorkflows: required(
    'AF_CACHED_WORKFLOWS',
    { default: '200', expected: 'a whole number, at least 0', description: 'Runs that a worker keeps in memory.' },
    integer(0, 1_000_000),
  ),
};
