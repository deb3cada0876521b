import { assertNever } from '../../core/base/assert-never';
import type {
  DatabaseConnector,
  FeedConnector,
  FileConnector,
  GraphqlConnector,
  RestConnector,
  ScraperConnector,
  ToolConnector,
} from '../../core/connector/types';
import { withHooks } from '../hooks/call-hooks';
import { callDatabase } from '../kinds/database/call-database';
import { callRssFeed } from '../kinds/feeds/call-rss-feed';
import { callFileParser } from '../kinds/files/call-file-parser';
import { callGraphql } from '../kinds/graphql/call-graphql';
import { callRestApi } from '../kinds/rest/call-rest-api';
import { callWebScraper } from '../kinds/scraper/call-web-scraper';
import { callReadingTool } from '../kinds/tools/call-reading-tool';
import type { ConnectorCall, EndpointResult } from './connector-call';

/**
 * Carries out one call, which was bound (`boundDefinition`, `confirmedSecrets`) and prepared (`prepareCall`): hooks before; for each page
 * its request, which passes cache and limit, is sent and recorded (`createHttpTransport`, or `createSourceClient` for what is no request
 * over HTTP); its records are mapped; hooks after.
 * The result is `{results, count, ...}` as `endpointOutputs` describes it; what the source reports is an AppError with a code,
 * never an empty result.
 */
export function callEndpoint(call: ConnectorCall): Promise<EndpointResult> {
  return withHooks(call, () => callKind(call));
}

function callKind(call: ConnectorCall): Promise<EndpointResult> {
  const { type } = call.connector;
  switch (type) {
    case 'rest_api':
      return callRestApi(call as ConnectorCall<RestConnector>);
    case 'graphql':
      return callGraphql(call as ConnectorCall<GraphqlConnector>);
    case 'file_parser':
      return callFileParser(call as ConnectorCall<FileConnector>);
    case 'database':
      return callDatabase(call as ConnectorCall<DatabaseConnector>);
    case 'web_scraper':
      return callWebScraper(call as ConnectorCall<ScraperConnector>);
    case 'rss_feed':
      return callRssFeed(call as ConnectorCall<FeedConnector>);
    case 'existing_tool':
      return callReadingTool(call as ConnectorCall<ToolConnector>);
    default:
      return assertNever(type);
  }
}
