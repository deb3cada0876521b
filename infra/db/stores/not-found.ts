import { AppError } from '../../../core/errors/app-error';

/** Also for rows of others: who may not see a thing does not learn that it exists. */
export function notFound(
  what:
    'run' | 'playbook' | 'connector' | 'approval' | 'document' | 'folder' | 'workspace' | 'step' | 'profile' | 'team',
  id: string,
): AppError {
  return new AppError(`${what}_not_found`, `There is no ${what} "${id}".`, { category: 'not_found' });
}
