import { didYouMean } from '../../../core/base/did-you-mean';
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

/** The same error for rows of others, so that it does not tell that they exist. `known`: names that the caller may see. */
export function notFound(what: Kind, id: string, known: Iterable<string> = []): AppError {
  return new AppError(
    `${what}_not_found`,
    `There is no ${what.replaceAll('_', ' ')} "${id.slice(0, 200)}".${meantOf(id, known)}`,
    { category: 'not_found' },
  );
}

/** What follows a sentence about a name that does not exist. */
export function meantOf(name: string, known: Iterable<string>): string {
  const near = didYouMean(name, known);
  return near === undefined ? '' : ` Did you mean "${near}"?`;
}
