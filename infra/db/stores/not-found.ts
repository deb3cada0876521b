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
  | 'journal_entry';

/** Also for rows of others: who may not see a thing does not learn that it exists. */
export function notFound(what: Kind, id: string): AppError {
  return new AppError(`${what}_not_found`, `There is no ${what.replaceAll('_', ' ')} "${id.slice(0, 200)}".`, {
    category: 'not_found',
  });
}
