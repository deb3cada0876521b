import { cols, opt, out, req } from './define';
import type { ActionContract, FieldSpec } from './types';

const base = {
  group: 'monitor',
  step_type: 'tool',
  short: true,
  pure: false,
  effect: 'none',
  available: false,
} as const;

const count = out('count', 'integer', 'Number of new items.');
const watermark = out('watermark', 'string', 'Mark up to which items were seen.');

function detector(
  spec: Pick<ActionContract, 'name' | 'description' | 'inputs' | 'params' | 'outputs'>,
  more: Partial<ActionContract> = {},
): ActionContract {
  return { ...base, ...spec, ...more };
}

function found(name: string, type: string, description: string, fields: FieldSpec[]): FieldSpec[] {
  return [out(name, type, description, fields), count, watermark];
}

export const MONITOR_ACTIONS: ActionContract[] = [
  detector({
    name: 'detect_new_files',
    description: 'Finds files that were added or changed in a folder since the last check.',
    inputs: [req('folder_id', 'string', 'Folder to watch.')],
    params: [
      opt('file_types', 'string[]', 'Keep only these extensions.'),
      opt('include_subfolders', 'boolean', 'Also look into subfolders.', { default: false }),
    ],
    outputs: [
      ...found(
        'files',
        'file_ref[]',
        'New files.',
        cols('file_id', 'filename', 'file_type', 'size_bytes:integer', 'created_at', 'modified_at', 'folder_path'),
      ),
      out('previous_watermark', 'string', 'Mark of the last check.'),
    ],
  }),
  detector({
    name: 'detect_folder_changes',
    description: 'Finds what was added, changed or deleted in a folder since the last check.',
    inputs: [req('folder_id', 'string', 'Folder to watch.')],
    params: [
      opt('include_subfolders', 'boolean', 'Also look into subfolders.', { default: false }),
      opt('change_types', 'string[]', 'Keep only these of added, modified, deleted.'),
    ],
    outputs: [
      out(
        'changes',
        'change_event[]',
        'Changes.',
        cols('file_id', 'filename', 'change_type', 'old_hash', 'new_hash', 'timestamp'),
      ),
      out('added_count', 'integer', 'Files added.'),
      out('modified_count', 'integer', 'Files changed.'),
      out('deleted_count', 'integer', 'Files deleted.'),
      watermark,
    ],
  }),
  detector(
    {
      name: 'detect_new_data',
      description: 'Finds records of a connector endpoint that are new since the last check.',
      inputs: [req('connector', 'string', 'Id of the connector.'), req('endpoint', 'string', 'Name of the endpoint.')],
      params: [
        opt('date_field', 'string', 'Field that orders the records; found by itself where absent.'),
        opt('extra_params', 'object', 'More parameters for the endpoint.'),
      ],
      outputs: [out('results', 'record[]', 'New records.'), count, watermark],
    },
    { short: false },
  ),
  detector(
    {
      name: 'detect_new_team_posts',
      description: 'Finds messages of a team that are new since the last check.',
      inputs: [req('team_id', 'string', 'Team to watch.')],
      params: [
        opt('thread_ids', 'string[]', 'Only these threads.'),
        opt('min_length', 'integer', 'Ignore shorter messages.'),
      ],
      outputs: found(
        'posts',
        'post[]',
        'New messages.',
        cols('post_id', 'thread_id', 'author', 'content', 'created_at', 'reply_count:integer'),
      ),
    },
    { requires: 'team_post_access' },
  ),
  detector({
    name: 'detect_new_entities',
    description: 'Finds entities of the knowledge graph that are new since the last check.',
    inputs: [req('entity_types', 'string[]', 'Entity types to watch.')],
    params: [
      opt('min_confidence', 'number', 'Least confidence, 0 to 1.', { default: 0.5 }),
      opt('source_filter', 'string', 'Only entities from this source.'),
    ],
    outputs: found(
      'entities',
      'entity[]',
      'New entities.',
      cols('name', 'type', 'subtype', 'confidence:number', 'source', 'created_at'),
    ),
  }),
  detector(
    {
      name: 'set_monitor_watermark',
      description: 'Sets the watermark of a monitor after its items were processed.',
      inputs: [req('watermark', 'string', 'New mark.')],
      params: [],
      outputs: [
        out('success', 'boolean', 'True when it was set.'),
        out('previous_watermark', 'string', 'Mark before.'),
      ],
    },
    { effect: 'transactional' },
  ),
  detector({
    name: 'get_monitor_watermark',
    description: 'Reads the watermark of a detection step.',
    inputs: [req('step_name', 'string', 'Name of the detection step.')],
    params: [],
    outputs: [
      watermark,
      out('last_checked_at', 'date', 'When it was last checked.'),
      out('items_found_last', 'integer', 'Items found by that check.'),
    ],
  }),
];
