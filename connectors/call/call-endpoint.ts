import type { ConnectorDefinition, ConnectorType } from '../../core/connector/types';
import { withHooks } from '../hooks/call-hooks';
import { callDatabase } from '../kinds/database/call-database';
import { callRssFeed } from '../kinds/feeds/call-rss-feed';
import { callFileParser } from '../kinds/files/call-file-parser';
import { callGraphql } from '../kinds/graphql/call-graphql';
import { callRestApi } from '../kinds/rest/call-rest-api';
import { callWebScraper } from '../kinds/scraper/call-web-scraper';
import { callReadingTool } from '../kinds/tools/call-reading-tool';
import type { ConnectorCall, EndpointResult } from './connector-call';

type CallOf<Type> = ConnectorCall<Extract<ConnectorDefinition, { type: Type }>>;

const KINDS: { [Type in ConnectorType]: (call: CallOf<Type>) => Promise<EndpointResult> } = {
  rest_api: callRestApi,
  graphql: callGraphql,
  web_scraper: callWebScraper,
  file_parser: callFileParser,
  database: callDatabase,
  rss_feed: callRssFeed,
  existing_tool: callReadingTool,
};

/**
 * Carries out one call that was bound and prepared (`prepareCall`). The kind of the connector reads its pages: each request passes cache
 * and limit, is sent and recorded (`call.http`, or `call.source` for what is no request over HTTP), and the records of its answer are mapped.
 * The result is `{results, count, ...}` as `endpointOutputs` describes it; what the source reports is an AppError with a code,
 * never an empty result.
 */
export function callEndpoint(call: ConnectorCall): Promise<EndpointResult> {
  return withHooks(call, KINDS[call.connector.type] as (call: ConnectorCall) => Promise<EndpointResult>);
}
