import type { ConnectorDefinition } from '../../core/connector/types';
import { AppError } from '../../core/errors/app-error';

/** Throws `connector_retired` for a source that no longer exists: it is not called, and its failure is no outage. */
export function requireInService({ id, retired }: ConnectorDefinition): void {
  if (retired === undefined) return;
  throw new AppError('connector_retired', `The connector \`${id}\` is retired: ${retired}`, {
    category: 'bad_request',
    details: { connector: id },
  });
}
