import type { JsonObject } from '../../base/json';
import type { DraftParameter } from './draft-parameter';
import type { Operation } from './operations';
import type { OutputFields } from './output-fields';
import type { ParameterReader } from './parameters';
import { readParameters } from './parameters';
import { pathOf } from './paths';
import { readBody } from './request-body';
import { readResponse } from './response';
import type { ServerReader } from './servers';
import { ownServer } from './servers';
import { sentenceOf } from './words';

export interface EndpointReader extends ParameterReader {
  server: ServerReader;
  baseUrl: string;
  fields: OutputFields;
}

/** One operation as an endpoint in the spelling of the language; nothing when its path cannot be written. */
export function draftEndpoint(reader: EndpointReader, operation: Operation): JsonObject | undefined {
  const { documents, report } = reader;
  const { method, node } = operation;
  const path = pathOf(operation.path);
  if (path === undefined) {
    report.warn('unsupported_path', 'This path cannot be written; its operations are left out.', operation.shared);
    return undefined;
  }
  const inRequest = readParameters(reader, operation);
  const parameters = withFixed(path.fixed, inRequest.parameters);
  const consumes = commonTypes(reader, 'consumes');
  const body = readBody({ ...reader, consumes }, operation, new Set(parameters.map(({ name }) => name)));
  const { results_path, output_schema, response_format } = readResponse(
    { ...reader, produces: commonTypes(reader, 'produces') },
    node,
  );
  const server = ownServer(reader.server, operation);
  const description = sentenceOf(documents.text(node, 'summary') ?? documents.text(node, 'description'));
  const all = onePerName([...parameters, ...body.parameters]);
  return {
    ...(description === undefined ? {} : { description }),
    method,
    ...(server === undefined || server === reader.baseUrl ? {} : { base_url: server }),
    path: path.path,
    ...(inRequest.keyed && method !== 'GET' && method !== 'HEAD' ? { effect: 'keyed' } : {}),
    ...(body.body_format === undefined || body.body_format === 'json' ? {} : { body_format: body.body_format }),
    ...(inRequest.array_format === undefined ? {} : { array_format: inRequest.array_format }),
    ...(response_format === 'json' ? {} : { response_format }),
    ...(all.length === 0 ? {} : { parameters: all }),
    ...(results_path === undefined ? {} : { response_mapping: { results_path } }),
    ...(output_schema === undefined ? {} : { output_schema }),
  };
}

function withFixed(fixed: readonly DraftParameter[], parameters: readonly DraftParameter[]): DraftParameter[] {
  const names = new Set(fixed.map(({ name }) => name));
  return [...parameters.filter(({ name }) => !names.has(name)), ...fixed];
}

function onePerName(parameters: readonly DraftParameter[]): DraftParameter[] {
  return [...new Map(parameters.toReversed().map((parameter) => [parameter.name, parameter])).values()].toReversed();
}

/** Swagger 2: media types that hold for every operation that names none. */
function commonTypes({ documents }: EndpointReader, key: 'consumes' | 'produces'): string[] {
  return documents
    .children(documents.child(documents.root(), key))
    .flatMap(({ node }) => (typeof node.value === 'string' ? [node.value] : []));
}
