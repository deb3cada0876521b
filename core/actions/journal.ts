import { cols, opt, out, req } from './define';
import { WARNINGS } from './transform';
import type { ActionContract } from './types';

const base = { group: 'journal', step_type: 'tool', short: true, pure: false, available: true } as const;

export const JOURNAL_ACTIONS: ActionContract[] = [
  {
    ...base,
    name: 'write_journal_entry',
    description: 'Writes an entry to the work journal.',
    inputs: [
      req('summary', 'string', 'What was done, for people.'),
      opt('detail_entries', 'object[]', 'Structured details, one a step.'),
      opt('entities_mentioned', 'string[]', 'Names that the entry can be found by.'),
    ],
    params: [],
    outputs: [
      out('journal_entry_id', 'string', 'Id of the entry.'),
      out('success', 'boolean', 'True when it was written.'),
    ],
    effect: 'transactional',
  },
  {
    ...base,
    name: 'query_journal',
    description: 'Searches the work journal.',
    inputs: [
      opt('query', 'string', 'Words to look for.'),
      opt('date_from', 'date', 'First day.'),
      opt('date_to', 'date', 'Last day.'),
      opt('entity_name', 'string', 'Entity that the entry mentions.'),
      opt('status', 'string', 'Status of the run.'),
    ],
    params: [opt('limit', 'integer', 'At most this many entries.', { default: 20 })],
    outputs: [
      out(
        'entries',
        'journal_entry[]',
        'Entries, newest first.',
        cols(
          'id',
          'runId',
          'playbook_name',
          'summary',
          'created_at',
          'run_context',
          'steps_completed:any',
          'entities_discovered:any',
          'outputs_produced:any',
          'task_status',
          'entities_mentioned:any',
          'detail_entries:any',
        ),
      ),
      out('count', 'integer', 'Number of entries.'),
      out('date_range', 'object', 'First and last date of the entries.', cols('from', 'to')),
      WARNINGS,
    ],
    effect: 'none',
  },
];
