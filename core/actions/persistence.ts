import { opt, out, req } from './define';
import { WARNINGS } from './transform';
import type { ActionContract } from './types';

const base = {
  group: 'persistence',
  step_type: 'tool',
  short: true,
  pure: false,
  effect: 'transactional',
  available: true,
} as const;

export const PERSISTENCE_ACTIONS: ActionContract[] = [
  {
    ...base,
    name: 'save_to_workspace',
    description: 'Writes records to a table of a workspace.',
    inputs: [req('data', 'record[]', 'Records to write. A list of lists is joined into one.')],
    params: [
      req('table_name', 'string', 'Table to write to.'),
      opt('workspace_id', 'string', 'Workspace of the table; the default one where absent.'),
      opt('create_if_missing', 'boolean', 'Create the table from the shape of the data.', { default: true }),
      opt('upsert_key', 'any', 'Field, or list of fields, that identifies a row: a row with the same key is updated.'),
    ],
    outputs: [
      out('rows_inserted', 'integer', 'New rows.'),
      out('rows_updated', 'integer', 'Rows that were there and changed.'),
      out('table_name', 'string', 'Table written to.'),
      out('workspace_id', 'string', 'Workspace of the table.'),
      WARNINGS,
    ],
  },
  {
    ...base,
    name: 'route_output',
    description: 'Sends data to destinations in the middle of a playbook.',
    inputs: [req('data', 'any', 'Data to send.')],
    params: [
      req(
        'destinations',
        'object[]',
        'Destinations as in the output of a playbook; words of file names and conditions over the data are written with double braces.',
      ),
      opt('title', 'string', 'Title of the document.'),
    ],
    outputs: [
      out('routed_to', 'string[]', 'Types of the destinations that received the data.'),
      out('success', 'boolean', 'True when every destination received it.'),
      out('routing_report', 'record[]', 'One record a destination.', [
        out('destination', 'string', 'Type of the destination.'),
        out('status', 'string', '`success`, `skipped`, `error` or `not_available`.'),
        out(
          'code',
          'string',
          'Code of what went wrong, or of what a written file does not hold as it is (`cells_altered`).',
        ),
        out('message', 'string', 'The same in words.'),
        out('details', 'object', 'What was written and where.'),
      ]),
    ],
  },
];
