import { didYouMean } from '../../core/base/did-you-mean';
import { findEndpoint } from '../../core/connector/outputs';
import type {
  FeedEndpoint,
  FileEndpoint,
  GraphqlEndpoint,
  RestEndpoint,
  ScraperEndpoint,
} from '../../core/connector/types';
import { AppError } from '../../core/errors/app-error';
import { callRssFeed } from './feeds/rss-feed';
import { callFileParser } from './file-parser';
import { callGraphql } from './graphql';
import { callRestApi } from './rest-api';
import { callWebScraper } from './scraper/web-scraper';
import type { ConnectorDeps, EndpointCall, EndpointResult } from './types';

/**
 * Carries out one endpoint. The result is `{results, count, ...}` as `endpointOutputs` describes it; what the source
 * reports is an AppError with a code, never an empty result.
 */
export async function callEndpoint(deps: ConnectorDeps, call: EndpointCall): Promise<EndpointResult> {
  const { definition, inputs, context } = call;
  const endpoint = findEndpoint(definition, call.endpoint);
  if (endpoint === undefined) {
    const names = Object.keys(definition.endpoints);
    const near = didYouMean(call.endpoint, names);
    throw new AppError(
      'endpoint_not_found',
      `The connector \`${definition.id}\` has no endpoint \`${call.endpoint}\`. ${near === undefined ? `It has ${names.join(', ')}.` : `Did you mean \`${near}\`?`}`,
      {
        category: 'bad_request',
      },
    );
  }
  if (definition.type === 'file_parser') {
    return callFileParser(deps, definition, {
      name: call.endpoint,
      endpoint: endpoint as FileEndpoint,
      inputs,
      context,
    });
  }
  if (definition.type === 'rss_feed') {
    return callRssFeed(deps, definition, { name: call.endpoint, endpoint: endpoint as FeedEndpoint, inputs, context });
  }
  if (definition.type === 'web_scraper') {
    return callWebScraper(deps, definition, {
      name: call.endpoint,
      endpoint: endpoint as ScraperEndpoint,
      inputs,
      context,
    });
  }
  if (definition.type === 'graphql') {
    return callGraphql(deps, definition, {
      name: call.endpoint,
      endpoint: endpoint as GraphqlEndpoint,
      inputs,
      context,
    });
  }
  if (definition.type !== 'rest_api') {
    throw new AppError('not_available', `Connectors of type \`${definition.type}\` cannot run in this version.`, {
      category: 'bad_request',
    });
  }
  return callRestApi(deps, definition, { name: call.endpoint, endpoint: endpoint as RestEndpoint, inputs, context });
}
