import { JOURNAL_ACTIONS } from '../../core/actions/journal';
import type { ActionContract } from '../../core/actions/types';

/**
 * Actions that only the benchmark's own API and worker have: a step that does almost nothing, once slow by
 * contract (an activity of its own) and once short (travels in a segment). Must be loaded before the registry.
 */
const CONTRACT: ActionContract = {
  name: 'bench_step',
  group: 'bench',
  description: 'Adds a field to a document.',
  step_type: 'tool',
  inputs: [
    { name: 'document', type: 'any', required: true },
    { name: 'field', type: 'string', required: true },
    { name: 'value', type: 'any', required: true },
  ],
  params: [],
  outputs: [{ name: 'document', type: 'any' }],
  short: false,
  pure: false,
  effect: 'none',
  available: true,
};

/** A large result of a step, like the answer of a source. */
const LARGE: ActionContract = {
  ...CONTRACT,
  name: 'bench_document',
  description: 'Makes a document of so many records of 1 KB.',
  inputs: [
    { name: 'no', type: 'number', required: true },
    { name: 'records', type: 'number', required: true },
  ],
};

JOURNAL_ACTIONS.push(CONTRACT, LARGE, { ...CONTRACT, name: 'bench_step_short', short: true });
