import { opt, out, req } from './define';
import type { ActionContract } from './types';

const base = { group: 'task', step_type: 'tool', short: true, pure: false, available: false } as const;
const success = out('success', 'boolean', 'True when it was done.');
const todos = [out('todos', 'todo[]', 'The tasks.'), out('count', 'integer', 'Number of tasks.')];
const priority = opt('priority', 'string', 'Priority.', { enum: ['A', 'B', 'C'] });

export const TASK_ACTIONS: ActionContract[] = [
  {
    ...base,
    name: 'create_todo',
    description: 'Creates a task.',
    inputs: [req('title', 'string', 'Title of the task.'), opt('body', 'string', 'Text of the task.')],
    params: [
      priority,
      opt('state', 'string', 'State of the task.', { enum: ['TODO', 'NEXT', 'WAITING'], default: 'TODO' }),
      opt('deadline', 'date', 'When it must be done.'),
      opt('scheduled', 'date', 'When work on it begins.'),
      opt('tags', 'string[]', 'Tags.'),
      opt('target_file', 'string', 'File that holds the task.'),
    ],
    outputs: [success, out('todo_id', 'string', 'Id of the task.'), out('file_path', 'string', 'File that holds it.')],
    effect: 'transactional',
  },
  {
    ...base,
    name: 'list_todos',
    description: 'Lists tasks.',
    inputs: [opt('state', 'string', 'Only tasks in this state.', { enum: ['TODO', 'DONE', 'all'] })],
    params: [
      opt('tags', 'string[]', 'Only tasks with these tags.'),
      opt('deadline_before', 'date', 'Only tasks due before this day.'),
      opt('file_id', 'string', 'Only tasks of this file.'),
      opt('limit', 'integer', 'At most this many tasks.'),
    ],
    outputs: todos,
    effect: 'none',
  },
  {
    ...base,
    name: 'update_todo',
    description: 'Changes a task.',
    inputs: [req('todo_id', 'string', 'Task to change.')],
    params: [
      opt('state', 'string', 'New state.'),
      priority,
      opt('deadline', 'date', 'New deadline.'),
      opt('scheduled', 'date', 'New begin.'),
      opt('add_tags', 'string[]', 'Tags to add.'),
      opt('remove_tags', 'string[]', 'Tags to remove.'),
      opt('add_note', 'string', 'Note to add.'),
    ],
    outputs: [success, out('updated_fields', 'string[]', 'Fields that changed.')],
    effect: 'transactional',
  },
  {
    ...base,
    name: 'complete_todo',
    description: 'Marks a task as done.',
    inputs: [req('todo_id', 'string', 'Task that is done.')],
    params: [opt('completion_note', 'string', 'Note to add.')],
    outputs: [success, out('completed_at', 'date', 'When it was marked.')],
    effect: 'transactional',
  },
  {
    ...base,
    name: 'search_todos',
    description: 'Searches tasks.',
    inputs: [req('query', 'string', 'Words to look for.')],
    params: [
      opt('states', 'string[]', 'Only tasks in these states.'),
      opt('include_done', 'boolean', 'Also tasks that are done.'),
    ],
    outputs: todos,
    effect: 'none',
  },
];
