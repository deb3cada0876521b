import { assertNever } from '../../core/base/assert-never';
import { didYouMean } from '../../core/base/did-you-mean';
import { findEndpoint } from '../../core/connector/outputs';
import type {
  DatabaseEndpoint,
  Endpoint,
  FeedEndpoint,
  FileEndpoint,
  GraphqlEndpoint,
  RestEndpoint,
  ScraperEndpoint,
} from '../../core/connector/types';
import { AppError } from '../../core/errors/app-error';
import { callDatabase } from '../kinds/database/call-database';
import { callRssFeed } from '../kinds/feeds/call-rss-feed';
import { callFileParser } from '../kinds/files/call-file-parser';
import { callGraphql } from '../kinds/graphql/call-graphql';
import { asHooked, withHooks } from '../hooks/call-hooks';
import { callRestApi } from '../kinds/rest/call-rest-api';
import { requireInService } from './in-service';
import { callWebScraper } from '../kinds/scraper/call-web-scraper';
import { callReadingTool } from '../kinds/tools/call-reading-tool';
import type { ConnectorDeps, EndpointCall, EndpointResult } from './types';

/**
 * Carries out one endpoint. The result is `{results, count, ...}` as `endpointOutputs` describes it; what the source
 * reports is an AppError with a code, never an empty result.
 */
export async function callEndpoint(deps: ConnectorDeps, call: EndpointCall): Promise<EndpointResult> {
  const { definition } = call;
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
  requireInService(definition);
  return withHooks({ hooks: deps.hooks ?? {}, secrets: deps.secrets }, call, () => byType(deps, call, endpoint));
}

async function byType(deps: ConnectorDeps, call: EndpointCall, endpoint: Endpoint): Promise<EndpointResult> {
  const { inputs, context, endpoint: name } = call;
  const definition = asHooked(call.definition, name);
  switch (definition.type) {
    case 'rest_api':
      return callRestApi(deps, definition, { name, endpoint: endpoint as RestEndpoint, inputs, context });
    case 'graphql':
      return callGraphql(deps, definition, { name, endpoint: endpoint as GraphqlEndpoint, inputs, context });
    case 'file_parser':
      return callFileParser(deps, definition, { name, endpoint: endpoint as FileEndpoint, inputs, context });
    case 'database':
      return callDatabase(deps, definition, { name, endpoint: endpoint as DatabaseEndpoint, inputs, context });
    case 'web_scraper':
      return callWebScraper(deps, definition, { name, endpoint: endpoint as ScraperEndpoint, inputs, context });
    case 'rss_feed':
      return callRssFeed(deps, definition, { name, endpoint: endpoint as FeedEndpoint, inputs, context });
    case 'existing_tool':
      return callReadingTool(deps, { definition, endpoint: name, inputs }, context);
    default:
      return assertNever(definition);
  }
}
