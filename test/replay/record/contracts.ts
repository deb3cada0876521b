import { JOURNAL_ACTIONS } from '../../../core/actions/journal';

/** A short step that passes a document on, with a field more. Must be loaded before the registry. */
JOURNAL_ACTIONS.push({
  name: 'add_field',
  group: 'recorded',
  description: 'Adds a field to a document.',
  step_type: 'tool',
  inputs: [
    { name: 'document', type: 'any', required: true },
    { name: 'field', type: 'string', required: true },
  ],
  params: [],
  outputs: [{ name: 'document', type: 'any' }],
  short: true,
  pure: false,
  effect: 'none',
  available: true,
});
