import type { ConnectorDefinition } from '../../core/connector/types';
import { AppError } from '../../core/errors/app-error';
import type { Problem } from '../../core/errors/problem';
import { readConnector } from '../../infra/connectors/read-connector';
import type { NewDefinition } from '../../infra/db/stores/definition-types';
import { contentHash, formatOf, sourceText, type Source } from '../shared/definition-source';
import { orAbsent } from '../shared/views';

/** A text as the definition that would be stored. Throws `invalid_connector` with every problem. */
export function readDefinition(source: Source): {
  definition: NewDefinition<ConnectorDefinition>;
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
  const definition = {
    slug: body.id,
    name: body.name,
    kind: body.type,
    content_hash: contentHash(text),
    source_format: formatOf(text),
    source: text,
    body,
    ...orAbsent({ description: body.description ?? null, declared_version: body.version ?? null }),
  };
  return { definition, warnings: problems };
}
