import { opt } from './define';
import type { FieldSpec } from './types';

/** Destinations of results: the `destinations` of a playbook's output and of `route_output`. */
export const DESTINATION_TYPES = [
  'document',
  'folder',
  'file_export',
  'data_workspace_table',
  'append_to_existing',
  'chat',
  'knowledge_graph',
  'data_workspace_db',
] as const;
export type DestinationType = (typeof DESTINATION_TYPES)[number];

export const DESTINATION_FORMATS = ['markdown', 'json', 'csv', 'xlsx', 'structured'] as const;

/** Words that every file name template knows; inputs of the run come on top. */
export const FILE_NAME_WORDS = ['date', 'today', 'run_id', 'execution_id', 'playbook', 'title', 'step'];

export interface DestinationSpec {
  config: FieldSpec[];
  /** Fields of which one must be written. */
  one_of?: string[];
  available: boolean;
}

const FILE_NAME = [
  opt('filename_template', 'string', 'Name of the file; words in braces are filled in.'),
  opt('filename', 'string', 'Another name of `filename_template`.'),
];
const FOLDER = [
  opt('folder_id', 'string', 'Folder, by id or name.'),
  opt('folder', 'string', 'Another name of `folder_id`.'),
  opt('create_if_missing', 'boolean', 'Create the folder where it does not exist.', { default: true }),
];
const TABLE = [
  opt('workspace_id', 'string', 'Workspace of the table; the default one where absent.'),
  opt('table_name', 'string', 'Table to write to.'),
  opt('section', 'string', 'Title of the section whose records are written; the first with records where absent.'),
  opt('upsert_key', 'any', 'Field, or list of fields: a row with the same key is updated.'),
  opt('deduplication_key', 'any', 'Field, or list of fields: a row with the same key is left out.'),
  opt('schema_mapping', 'object', 'Fields to write, and their columns.'),
  opt('create_if_missing', 'boolean', 'Create the table from the shape of the data.', { default: true }),
];
const DOCUMENT = [
  opt('document_id', 'string', 'Document to append to.'),
  opt('document', 'string', 'Its name, instead of the id.'),
];

export const DESTINATIONS: Readonly<Record<DestinationType, DestinationSpec>> = {
  document: { config: [...FILE_NAME, ...FOLDER], available: true },
  folder: { config: [...FILE_NAME, ...FOLDER], one_of: ['folder_id', 'folder'], available: true },
  file_export: { config: FILE_NAME, available: true },
  data_workspace_table: { config: TABLE, available: true },
  append_to_existing: { config: DOCUMENT, one_of: ['document_id', 'document'], available: true },
  chat: { config: [], available: true },
  // Settings are unknown before these exist.
  knowledge_graph: { config: [], available: false },
  data_workspace_db: { config: [], available: false },
};
