import { shorten } from '../../../core/base/shorten';
import { suggestionOr } from '../../../core/base/did-you-mean';
import { AppError } from '../../../core/errors/app-error';

type Kind =
  | 'run'
  | 'playbook'
  | 'connector'
  | 'approval'
  | 'document'
  | 'folder'
  | 'workspace'
  | 'workspace_table'
  | 'step'
  | 'profile'
  | 'team'
  | 'journal_entry'
  | 'template'
  | 'plugin'
  | 'action';

/** Lists of the kinds that are named by ids: near ids are no suggestion, so the message names the list. */
const LISTS: Partial<Record<Kind, string>> = {
  run: 'GET /runs lists them.',
  approval: 'GET /approvals lists them.',
  document: 'GET /documents lists them.',
  folder: 'GET /folders lists them.',
  team: 'GET /teams lists yours.',
  journal_entry: 'GET /journal lists them.',
};

/**
 * The same error for rows of others, so that it does not tell that they exist. `known`: names that the caller may see;
 * `otherwise`: what to say where none of them is near.
 */
export function notFound(
  what: Kind,
  id: string,
  known: Iterable<string> = [],
  otherwise = LISTS[what] ?? '',
): AppError {
  const way = suggestionOr(id, known, otherwise);
  return new AppError(
    `${what}_not_found`,
    `There is no ${what.replaceAll('_', ' ')} "${shorten(id, 200)}".${way === '' ? '' : ` ${way}`}`,
    { category: 'not_found' },
  );
}
