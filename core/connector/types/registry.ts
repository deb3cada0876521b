import type { ConnectorType } from '../types';
import { readDatabase } from './database';
import { readExistingTool } from './existing-tool';
import { readFileParser } from './file-parser';
import { readGraphqlConnector } from './graphql';
import { readRestApi } from './rest-api';
import { readRssFeed } from './rss-feed';
import type { TypeReader } from './type-reader';
import { readWebScraper } from './web-scraper';

/** One reader per type; a new type is a new file and a line here. */
export const TYPE_READERS: Record<ConnectorType, TypeReader> = {
  rest_api: readRestApi,
  graphql: readGraphqlConnector,
  web_scraper: readWebScraper,
  file_parser: readFileParser,
  database: readDatabase,
  rss_feed: readRssFeed,
  existing_tool: readExistingTool,
};
