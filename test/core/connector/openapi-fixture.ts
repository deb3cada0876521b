import type { Json, JsonObject } from '../../../core/base/json';
import { importOpenapi } from '../../../core/connector/openapi/import-openapi';
import type { ImportOptions, OpenapiImport } from '../../../core/connector/openapi/import-openapi';
import { readDocument } from '../../../core/connector/openapi/read-document';
import { parseConnector } from '../../../core/connector/parse';
import type { ConnectorDefinition, RestConnector, RestEndpoint } from '../../../core/connector/types';
import type { Problem } from '../../../core/errors/problem';

/** Imports a document that refers to no other. Throws when it cannot be read at all. */
export function importText(text: string, options: ImportOptions = {}, address?: string): OpenapiImport {
  const read = readDocument(text);
  if ('problems' in read) throw new Error(JSON.stringify(read.problems));
  const documents = new Map([['', { json: read.document.json, links: new Map<string, string>() }]]);
  return importOpenapi({ document: read.document, documents, options, ...(address === undefined ? {} : { address }) });
}

/** The definition that the text of an import means, without a problem that would stop it. */
export function definitionOf({ source }: OpenapiImport): RestConnector {
  const { definition, problems } = parseConnector(source ?? '');
  if (definition === undefined) throw new Error(JSON.stringify(problems));
  return definition as RestConnector & ConnectorDefinition;
}

/** OpenAPI 3 with one operation, `GET /things`, and what is given beside it. */
export function document(operation: JsonObject, more: JsonObject = {}): string {
  const paths: Json = { '/things': { get: operation } };
  return JSON.stringify({
    openapi: '3.0.3',
    info: { title: 'Things', version: '1' },
    servers: [{ url: 'https://api.example.org' }],
    paths,
    ...more,
  });
}

/** The one endpoint of a document. */
export function endpointOf(text: string): { endpoint: RestEndpoint; problems: Problem[] } {
  const made = importText(text);
  const [endpoint] = Object.values(definitionOf(made).endpoints);
  if (endpoint === undefined) throw new Error('no endpoint');
  return { endpoint, problems: made.problems };
}

export const codes = (problems: readonly Problem[]): string[] => problems.map(({ code }) => code);
