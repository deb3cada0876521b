import type { ConnectorDefinition } from '../../core/connector/types';
import { AppError } from '../../core/errors/app-error';
import type { Problem } from '../../core/errors/problem';
import { readConnector } from '../../connectors/definition/read-connector';
import type { ConnectorFacts, NewDefinition } from '../../infra/db/stores/definition-types';
import { sourceText, type Source } from '../shared/definition-source';
import { newConnector } from '../shared/new-definition';

/** A text as the definition that would be stored. Throws `invalid_connector` with every problem. */
export function readDefinition(source: Source): {
  definition: NewDefinition<ConnectorDefinition, ConnectorFacts>;
  warnings: Problem[];
} {
  const text = sourceText(source);
  const { definition: body, problems } = readConnector(text);
  if (body === undefined) {
    throw new AppError('invalid_connector', 'The connector has problems; each says where and what to do.', {
      category: 'validation',
      problems,
    });
  }
  return { definition: newConnector(text, body), warnings: problems };
}
