import type { ConnectorType } from '../types';
import { readFileParser } from './file-parser';
import { readNotAvailable } from './not-available';
import { readRestApi } from './rest-api';
import type { TypeReader } from './type-reader';

/** One reader per type; a new type is a new file and a line here. */
export const TYPE_READERS: Record<ConnectorType, TypeReader> = {
  rest_api: readRestApi,
  file_parser: readFileParser,
  graphql: readNotAvailable,
  web_scraper: readNotAvailable,
  database: readNotAvailable,
  rss_feed: readNotAvailable,
  existing_tool: readNotAvailable,
};
