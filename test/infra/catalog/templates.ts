import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ConnectorDefinition } from '../../../core/connector/types';
import { catalogDirectory } from '../../../infra/catalog/catalog-directory';
import { readConnector } from '../../../connectors/definition/read-connector';

export interface Template {
  source: string;
  definition: ConnectorDefinition;
  problems: ReturnType<typeof readConnector>['problems'];
}

/** Templates of the product, by id. */
export function templates(): Map<string, Template> {
  const folder = join(catalogDirectory(), 'connectors');
  return new Map(
    readdirSync(folder)
      .sort()
      .map((file) => {
        const source = readFileSync(join(folder, file), 'utf8');
        const { definition, problems } = readConnector(source);
        if (definition === undefined) throw new Error(`${file}: ${JSON.stringify(problems)}`);
        return [definition.id, { source, definition, problems }];
      }),
  );
}
