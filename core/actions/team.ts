import { cols, opt, out, req } from './define';
import type { ActionContract } from './types';

const base = { group: 'team', step_type: 'tool', short: true, pure: false, effect: 'none', available: false } as const;
const team = req('team_id', 'string', 'The team.');

export const TEAM_ACTIONS: ActionContract[] = [
  {
    ...base,
    name: 'search_team_files',
    description: 'Searches the shared documents of a team.',
    inputs: [req('query', 'string', 'What to search for.'), team],
    params: [
      opt('max_results', 'integer', 'At most this many documents.', { default: 10 }),
      opt('folder_path', 'string', 'Search only below this folder.'),
      opt('file_types', 'string[]', 'Keep only these file types.'),
    ],
    outputs: [
      out(
        'documents',
        'document[]',
        'Documents found.',
        cols('document_id', 'title', 'snippet', 'score:number', 'folder_path', 'author'),
      ),
      out('count', 'integer', 'Number of documents.'),
    ],
    requires: 'team_file_access',
  },
  {
    ...base,
    name: 'read_team_file',
    description: 'Reads one shared document of a team.',
    inputs: [req('document_id', 'string', 'Document to read.'), team],
    params: [opt('max_length', 'integer', 'Cut the content after this many characters.')],
    outputs: [
      out('content', 'string', 'Content of the document.'),
      out('title', 'string', 'Title of the document.'),
      out('metadata', 'object', 'Author, last change and folder.'),
    ],
    requires: 'team_file_access',
  },
  {
    ...base,
    name: 'search_team_posts',
    description: 'Searches the conversations of a team.',
    inputs: [req('query', 'string', 'What to search for.'), team],
    params: [
      opt('date_from', 'date', 'First day.'),
      opt('date_to', 'date', 'Last day.'),
      opt('author', 'string', 'Only messages of this author.'),
      opt('max_results', 'integer', 'At most this many messages.', { default: 20 }),
    ],
    outputs: [
      out(
        'posts',
        'post[]',
        'Messages found.',
        cols('post_id', 'thread_id', 'author', 'content_preview', 'created_at', 'reply_count:integer'),
      ),
      out('count', 'integer', 'Number of messages.'),
    ],
    requires: 'team_post_access',
  },
  {
    ...base,
    name: 'write_team_post',
    description: 'Writes a message to a conversation of a team.',
    inputs: [req('content', 'string', 'Text of the message.'), team],
    params: [
      opt('thread_id', 'string', 'Conversation to answer in; a new one where absent.'),
      opt('format', 'string', 'Format of the text.', { enum: ['markdown', 'plain'], default: 'markdown' }),
    ],
    outputs: [
      out('post_id', 'string', 'Id of the message.'),
      out('thread_id', 'string', 'Id of the conversation.'),
      out('success', 'boolean', 'True when it was written.'),
    ],
    effect: 'transactional',
    requires: 'team_post_access',
  },
  {
    ...base,
    name: 'summarize_team_thread',
    description: 'Summarises a conversation of a team with a model.',
    inputs: [req('thread_id', 'string', 'Conversation to summarise.'), team],
    params: [
      opt('max_length', 'integer', 'Longest summary, in characters.'),
      opt('focus', 'string', 'What to look at.', { enum: ['decisions', 'action_items', 'key_points'] }),
    ],
    outputs: [
      out('summary', 'string', 'The summary.'),
      out('key_points', 'string[]', 'Main points.'),
      out('action_items', 'string[]', 'Things to do.'),
      out('participants', 'string[]', 'Who took part.'),
    ],
    step_type: 'llm_task',
    short: false,
    requires: 'team_post_access',
  },
];
