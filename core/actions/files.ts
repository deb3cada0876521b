import { cols, opt, out, req } from './define';
import type { ActionContract } from './types';

const base = { group: 'file', step_type: 'tool', short: true, pure: false, available: false } as const;
const success = out('success', 'boolean', 'True when it was done.');
const document = req('document_id', 'string', 'The document.');
const team = opt('team_id', 'string', 'Team whose documents are meant.');
const types = opt('file_types', 'string[]', 'Keep only these file types.');
const folder = opt('folder_id', 'string', 'Only in this folder.');
const scopes = ['my_docs', 'team_docs', 'global_docs'];
const count = out('count', 'integer', 'Number of results.');

const reading: ActionContract[] = [
  {
    ...base,
    name: 'read_file',
    description: 'Reads a document.',
    inputs: [
      opt('document_id', 'string', 'Document to read.'),
      opt('path', 'string', 'Its path, instead of the id.'),
      opt('scope', 'string', 'Where to look.', { enum: scopes }),
      team,
    ],
    params: [
      opt('max_length', 'integer', 'Cut the content after this many characters.'),
      opt('include_frontmatter', 'boolean', 'Also return the front matter.'),
    ],
    outputs: [
      out('content', 'string', 'Content of the document.'),
      out('title', 'string', 'Title.'),
      out('file_type', 'string', 'Type of the file.'),
      out('frontmatter', 'object', 'Front matter.'),
      out('metadata', 'object', 'Author, dates and folder.'),
    ],
    effect: 'none',
  },
  {
    ...base,
    name: 'find_file_by_name',
    description: 'Finds documents by name.',
    inputs: [
      req('name', 'string', 'Name or a part of it.'),
      opt('scope', 'string', 'Where to look.', { enum: [...scopes, 'all'] }),
      team,
    ],
    params: [opt('exact_match', 'boolean', 'The whole name must agree.'), types, folder],
    outputs: [
      out('files', 'file_ref[]', 'Files found.', cols('file_id', 'filename', 'file_type', 'folder_path')),
      count,
    ],
    effect: 'none',
  },
  {
    ...base,
    name: 'find_file_by_vectors',
    description: 'Finds documents by meaning.',
    inputs: [req('query', 'string', 'What to search for.'), opt('scope', 'string', 'Where to look.'), team],
    params: [
      opt('max_results', 'integer', 'At most this many documents.'),
      types,
      folder,
      opt('min_score', 'number', 'Least score, 0 to 1.'),
    ],
    outputs: [
      out(
        'documents',
        'document[]',
        'Documents found.',
        cols('document_id', 'title', 'snippet', 'score:number', 'folder_path'),
      ),
      count,
    ],
    effect: 'none',
  },
];

const writing: ActionContract[] = [
  {
    ...base,
    name: 'patch_file',
    description: 'Edits a document.',
    inputs: [document, req('edits', 'object[]', 'Edits in order.', { fields: cols('operation', 'target', 'content') })],
    params: [opt('create_if_missing', 'boolean', 'Create the document where it does not exist.')],
    outputs: [
      success,
      out('operations_applied', 'integer', 'Edits carried out.'),
      out('new_content_length', 'integer', 'Characters after the edits.'),
    ],
    effect: 'transactional',
  },
  {
    ...base,
    name: 'delete_file',
    description: 'Deletes a document.',
    inputs: [document],
    params: [opt('confirm', 'boolean', 'Must be true.')],
    outputs: [success, out('deleted_title', 'string', 'Title of what was deleted.')],
    effect: 'transactional',
  },
  {
    ...base,
    name: 'move_file',
    description: 'Moves a document to another folder.',
    inputs: [document, req('target_folder_id', 'string', 'Folder to move to.')],
    params: [],
    outputs: [success, out('new_folder_path', 'string', 'Path of the new folder.')],
    effect: 'transactional',
  },
  {
    ...base,
    name: 'copy_file',
    description: 'Copies a document to a folder.',
    inputs: [document, req('target_folder_id', 'string', 'Folder to copy to.')],
    params: [opt('new_title', 'string', 'Title of the copy.')],
    outputs: [
      out('new_document_id', 'string', 'Id of the copy.'),
      out('new_title', 'string', 'Title of the copy.'),
      out('new_folder_path', 'string', 'Folder of the copy.'),
    ],
    effect: 'transactional',
  },
];

export const FILE_ACTIONS: ActionContract[] = [...reading, ...writing];
