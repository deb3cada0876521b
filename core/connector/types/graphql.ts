import type { Fields } from '../fields';
import { nearestName, safeRecord } from '../fields';
import { type GraphqlText, isGraphqlFault, readGraphql } from '../graphql-text';
import { MAX_QUERY, TIMEOUT } from '../limits';
import { JSON_RULES, readEndpointCommon } from '../mapping';
import { PLAIN_NAME } from '../patterns';
import type { EndpointEffect, GraphqlEndpoint, Parameter } from '../types';
import { ENDPOINT_EFFECTS } from '../types';
import { readHttpConnection } from './http-connection';
import { readCache, readPagination } from './paging';
import { readParameters } from './rest-parameters';
import type { TypeReader } from './type-reader';

export const OPERATIONS = ['query', 'mutation'] as const;
export const PARTIAL_DATA = ['accept', 'refuse'] as const;
const GRAPHQL_PAGING = ['cursor', 'page', 'offset', 'keyset'] as const;

export const readGraphqlConnector: TypeReader = ({ common, top, connection, endpoints }) => {
  if (connection === undefined) {
    top.report.add(top.at('connection'), 'missing_field', 'A graphql connector needs `connection` with `endpoint`.');
    return undefined;
  }
  return {
    ...common,
    type: 'graphql',
    connection: readHttpConnection(connection, 'endpoint'),
    endpoints: safeRecord(endpoints.map(({ name, fields }) => [name, readEndpoint(fields)])),
  };
};

function readEndpoint(fields: Fields): GraphqlEndpoint {
  const query = fields.text('query', { required: true, max: MAX_QUERY, hint: 'one GraphQL operation' });
  const text = readText(fields, query);
  const names = text === undefined ? undefined : new Set(text.variables.map((variable) => variable.name));
  const key = fields.spelling('parameters', 'variables');
  const parameters = readParameters(fields, key, {
    places: ['body'],
    fallback: 'body',
    name: PLAIN_NAME,
    canSendNull: () => true,
  });
  if (text !== undefined) {
    checkVariables(fields, key, { text, parameters });
  }
  const operation = readOperation(fields, text);
  const effect = fields.choice('effect', ENDPOINT_EFFECTS) ?? defaultEffect(operation);
  const partialData = fields.choice('partial_data', PARTIAL_DATA) ?? 'accept';
  const timeout = fields.integer('timeout_seconds', { min: TIMEOUT.min, max: TIMEOUT.max });
  const paging = readPagination(fields, {
    types: GRAPHQL_PAGING,
    places: ['body'],
    effect,
    paramFault: (name) =>
      names === undefined || names.has(name) ? undefined : `The query declares no variable \`$${name}\`.`,
  });
  const cache = readCache(fields, effect);
  const common = readEndpointCommon(fields, JSON_RULES);
  fields.done();
  return {
    ...common,
    query: query ?? '',
    operation,
    parameters,
    effect,
    partial_data: partialData,
    ...(timeout === undefined ? {} : { timeout_seconds: timeout }),
    ...(paging === undefined ? {} : { pagination: paging }),
    ...(cache === undefined ? {} : { cache }),
  };
}

function defaultEffect(operation: GraphqlEndpoint['operation']): EndpointEffect {
  return operation === 'query' ? 'none' : 'unsafe';
}

function readText(fields: Fields, query: string | undefined): GraphqlText | undefined {
  const read = query === undefined ? undefined : readGraphql(query);
  if (read !== undefined && isGraphqlFault(read)) {
    fields.report.addInside(fields.at('query'), read.at, { code: 'invalid_query', message: read.message });
    return undefined;
  }
  return read;
}

/** Follows from the text; it may be written, but not differently. */
function readOperation(fields: Fields, text: GraphqlText | undefined): GraphqlEndpoint['operation'] {
  const written = fields.choice('operation', OPERATIONS);
  const operation = text?.operation ?? written ?? 'query';
  if (written !== undefined && written !== operation) {
    const message = `\`operation\` is \`${written}\`, but the text is a ${operation}.`;
    fields.report.add(fields.at('operation'), 'invalid_value', message);
  }
  return operation;
}

interface Variables {
  text: GraphqlText;
  parameters: readonly Parameter[];
}

function checkVariables(fields: Fields, key: string, { text, parameters }: Variables): void {
  const declared = text.variables.map((variable) => variable.name);
  const names = new Set(declared);
  for (const [index, { name }] of parameters.entries()) {
    if (fields.report.isFull) {
      return;
    }
    if (name !== '' && !names.has(name)) {
      const known = declared.slice(0, 50).join(', ') || 'none';
      const message = `The query declares no variable \`$${name}\`. Declared: ${known}.`;
      fields.report.add([...fields.at(key), index, 'name'], 'unknown_reference', message, nearestName(name, declared));
    }
  }
  checkGiven(fields, { text, parameters });
}

function checkGiven(fields: Fields, { text, parameters }: Variables): void {
  const given = new Set(parameters.map((parameter) => parameter.name));
  for (const variable of text.variables.filter(({ name, required }) => required && !given.has(name))) {
    if (fields.report.isFull) {
      return;
    }
    fields.report.addInside(fields.at('query'), variable.at, {
      code: 'unknown_reference',
      message: `The query needs a value for \`$${variable.name}\`, but no parameter of that name is declared.`,
      suggestion: `Add \`- {name: ${variable.name}, type: string, required: true}\` to \`variables\`.`,
    });
  }
}
